// Dekker's algorithm: who does not have the turn steps back until it is his.
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
      while (turn_ != me) std::this_thread::yield();
      wants_[me] = true;
    }
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
  auto work = [&](int me) {
    lock.lock(me);
    counter++;
    lock.unlock(me);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  assert(counter == 2);
}
