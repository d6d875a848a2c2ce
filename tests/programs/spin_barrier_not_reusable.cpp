// A barrier that waits until the number of arrivals is a multiple of the number of threads. A thread that is slow to
// look misses that moment when the other one is already back for the next phase, and then both wait for one more.
//
// norn: bug livelock
#include <atomic>
#include <cassert>
#include <thread>

class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  void arrive_and_wait() {
    arrived_.fetch_add(1);
    while (arrived_.load() % threads_ != 0) std::this_thread::yield();
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
};

int main() {
  SpinBarrier barrier(2);
  std::atomic<int> done{0};
  auto work = [&] {
    barrier.arrive_and_wait();
    done++;
    barrier.arrive_and_wait();
  };
  std::thread other(work);
  work();
  other.join();
  assert(done == 2);
}
