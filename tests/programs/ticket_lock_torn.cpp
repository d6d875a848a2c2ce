// A ticket lock whose tickets are drawn with a load and a store: two threads can draw the same ticket.
//
// norn: bug assertion
// norn expects: inside == 0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class TicketLock {
 public:
  void lock() {
    const unsigned mine = next_;
    next_ = mine + 1;
    while (serving_ != mine) std::this_thread::yield();
  }

  void unlock() { serving_++; }

 private:
  std::atomic<unsigned> next_{0};
  std::atomic<unsigned> serving_{0};
};

int main() {
  TicketLock lock;
  std::atomic<int> users{0};
  auto use = [&] {
    std::lock_guard guard(lock);
    const int inside = users.fetch_add(1);
    assert(inside == 0);
    users.fetch_sub(1);
  };
  std::thread other(use);
  use();
  other.join();
}
