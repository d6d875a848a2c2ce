// A barrier that spins on a generation number, used for two phases: in the second, everybody sees what everybody did in
// the first.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  void arrive_and_wait() {
    const int generation = generation_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_.store(0);
      generation_.store(generation + 1);
      return;
    }
    while (generation_.load() == generation) std::this_thread::yield();
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> generation_{0};
};

int main() {
  SpinBarrier barrier(2);
  int values[2] = {0, 0};
  int sums[2] = {0, 0};
  auto work = [&](int me) {
    values[me] = me + 1;
    barrier.arrive_and_wait();
    sums[me] = values[0] + values[1];
    barrier.arrive_and_wait();
    assert(sums[1 - me] == 3);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}
