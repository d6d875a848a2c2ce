// A race with a start gun: nobody runs before everybody is ready, and the results are looked at when all are through.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

int main() {
  constexpr int runners = 2;
  std::latch ready(runners), start(1), finished(runners);
  std::atomic<int> place{0};
  std::vector<int> places(runners);
  bool started = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < runners; ++i) {
    threads.emplace_back([&, i] {
      ready.count_down();
      start.wait();
      assert(started);
      places[i] = ++place;
      finished.count_down();
    });
  }
  ready.wait();
  started = true;
  start.count_down();
  finished.wait();
  assert(places[0] + places[1] == 3);
}
