// Peterson's algorithm for two threads. The counter that it protects is an ordinary variable.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class PetersonLock {
 public:
  void lock(int me) {
    const int other = 1 - me;
    interested_[me] = true;
    victim_ = me;
    while (interested_[other] && victim_ == me) {
    }
  }

  void unlock(int me) { interested_[me] = false; }

 private:
  std::atomic<bool> interested_[2] = {false, false};
  std::atomic<int> victim_{0};
};

int main() {
  PetersonLock lock;
  int counter = 0;
  auto work = [&](int me) {
    lock.lock(me);
    const int before = counter;
    counter = before + 1;
    lock.unlock(me);
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  assert(counter == 2);
}
