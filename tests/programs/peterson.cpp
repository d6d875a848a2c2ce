// Peterson's algorithm for two threads, one of which waits for the lock and one of which only tries. The counter that
// it protects is an ordinary variable.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class PetersonLock {
 public:
  void lock(int me) {
    announce(me);
    while (must_wait(me)) {
    }
  }

  bool try_lock(int me) {
    announce(me);
    if (!must_wait(me)) return true;
    unlock(me);
    return false;
  }

  void unlock(int me) { interested_[me] = false; }

 private:
  void announce(int me) {
    interested_[me] = true;
    victim_ = me;
  }

  bool must_wait(int me) const { return interested_[1 - me] && victim_ == me; }

  std::atomic<bool> interested_[2] = {false, false};
  std::atomic<int> victim_{0};
};

int main() {
  PetersonLock lock;
  int counter = 0;
  bool counted = false;
  std::thread visitor([&] {
    if (!lock.try_lock(1)) return;
    counter++;
    counted = true;
    lock.unlock(1);
  });
  lock.lock(0);
  counter++;
  lock.unlock(0);
  visitor.join();
  assert(counter == 1 + counted);
}
