// A barrier whose threads sleep on a flag that changes its sense with every phase, with std::atomic's own waiting: in
// the second phase, everybody sees what everybody did in the first.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class Barrier {
 public:
  explicit Barrier(int threads) : threads_(threads), missing_(threads) {}

  /// `sense` belongs to the calling thread and is false at the beginning.
  void arrive_and_wait(bool& sense) {
    sense = !sense;
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      missing_.store(threads_, std::memory_order_relaxed);
      sense_.store(sense, std::memory_order_release);
      sense_.notify_all();
      return;
    }
    sense_.wait(!sense, std::memory_order_acquire);
  }

 private:
  const int threads_;
  std::atomic<int> missing_;
  std::atomic<bool> sense_{false};
};

int main() {
  Barrier barrier(2);
  int values[2] = {0, 0};
  int sums[2] = {0, 0};
  auto work = [&](int me) {
    bool sense = false;
    values[me] = me + 1;
    barrier.arrive_and_wait(sense);
    sums[me] = values[0] + values[1];
    barrier.arrive_and_wait(sense);
    assert(sums[1 - me] == 3);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}
