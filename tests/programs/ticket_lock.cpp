// A ticket lock: threads are served in the order in which they drew their tickets.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class TicketLock {
 public:
  void lock() {
    const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    while (serving_.load(std::memory_order_acquire) != mine) std::this_thread::yield();
  }

  void unlock() { serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  std::atomic<unsigned> next_{0};
  std::atomic<unsigned> serving_{0};
};

int main() {
  TicketLock lock;
  int counter = 0;
  auto count = [&] {
    std::lock_guard guard(lock);
    counter++;
  };
  std::thread other(count);
  count();
  other.join();
  assert(counter == 2);
}
