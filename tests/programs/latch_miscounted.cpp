// A latch that counts one thread too many: a worker that finds nothing to do leaves without counting down.
//
// norn: bug deadlock
// norn expects: Thread main waits on finished
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

int main() {
  constexpr int workers = 2;
  std::latch finished(workers);
  std::atomic<int> jobs{3};
  std::atomic<int> done{0};
  auto work = [&] {
    if (jobs == 0) return;
    while (jobs.fetch_sub(1) > 0) ++done;
    jobs = 0;
    finished.count_down();
  };
  std::thread first(work);
  std::thread second(work);
  finished.wait();
  first.join();
  second.join();
  assert(done == 3);
}
