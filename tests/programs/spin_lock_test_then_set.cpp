// A spin lock that looks whether it is free and then takes it, in two steps: two threads that both saw it free both
// have it.
//
// norn: bug assertion
// norn expects: inside == 0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
 public:
  void lock() {
    while (locked_) std::this_thread::yield();
    locked_ = true;
  }

  void unlock() { locked_ = false; }

 private:
  std::atomic<bool> locked_{false};
};

int main() {
  SpinLock lock;
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
