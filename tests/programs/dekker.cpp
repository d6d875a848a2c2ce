// Dekker's algorithm: who does not have the turn steps back until it is his. One thread waits for the lock, the other
// only tries.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class DekkerLock {
 public:
  void lock(int me) {
    const int other = 1 - me;
    wants_[me] = true;
    while (wants_[other]) {
      if (turn_ == me) continue;
      wants_[me] = false;
      while (turn_ != me && wants_[other]) std::this_thread::yield();
      wants_[me] = true;
    }
  }

  bool try_lock(int me) {
    wants_[me] = true;
    if (!wants_[1 - me]) return true;
    wants_[me] = false;
    return false;
  }

  void unlock(int me) {
    turn_ = 1 - me;
    wants_[me] = false;
  }

 private:
  std::atomic<bool> wants_[2] = {false, false};
  std::atomic<int> turn_{0};
};

int main() {
  DekkerLock lock;
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
