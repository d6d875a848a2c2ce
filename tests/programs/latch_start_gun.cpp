// A race with a start gun: nobody runs before it is fired, and the results are looked at when all are through.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

int main() {
  constexpr int runners = 2;
  std::latch start(1), finished(runners);
  std::atomic<int> place{0};
  std::vector<int> places(runners);
  bool started = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < runners; ++i) {
    threads.emplace_back([&, i] {
      start.wait();
      assert(started);
      places[i] = ++place;
      finished.count_down();
    });
  }
  started = true;
  start.count_down();
  finished.wait();
  assert(places[0] + places[1] == 3);
}
