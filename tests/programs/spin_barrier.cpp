// A barrier that spins on the number of the phase, which goes up when the last thread arrives: afterwards everybody
// sees what everybody did before.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  void arrive_and_wait() {
    const int arrival = arrived_.fetch_add(1, std::memory_order_acq_rel);
    const int phase = arrival / threads_ + 1;
    if (arrival % threads_ == threads_ - 1) phase_.store(phase, std::memory_order_release);
    while (phase_.load(std::memory_order_acquire) < phase) std::this_thread::yield();
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> phase_{0};
};

int main() {
  SpinBarrier barrier(2);
  int values[2] = {0, 0};
  auto work = [&](int me) {
    values[me] = me + 1;
    barrier.arrive_and_wait();
    assert(values[0] + values[1] == 3);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}
