// Peterson's algorithm with its first two statements exchanged: both threads get in, one before the other has said that
// it is interested.
//
// norn: bug assertion
// norn expects: inside == 0
#include <atomic>
#include <cassert>
#include <thread>

class PetersonLock {
 public:
  bool try_lock(int me) {
    victim_ = me;
    interested_[me] = true;
    if (!interested_[1 - me] || victim_ != me) return true;
    unlock(me);
    return false;
  }

  void unlock(int me) { interested_[me] = false; }

 private:
  std::atomic<bool> interested_[2] = {false, false};
  std::atomic<int> victim_{0};
};

int main() {
  PetersonLock lock;
  std::atomic<int> users{0};
  auto work = [&](int me) {
    if (!lock.try_lock(me)) return;
    const int inside = users.fetch_add(1);
    assert(inside == 0);
    users.fetch_sub(1);
    lock.unlock(me);
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
}
