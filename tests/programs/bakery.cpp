// Lamport's bakery: everybody draws a number that is higher than all others, and the lowest number is served first; who
// is still drawing is waited for.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class BakeryLock {
 public:
  void lock(int me) {
    const int other = 1 - me;
    choosing_[me] = true;
    const int mine = numbers_[other] + 1;
    numbers_[me] = mine;
    choosing_[me] = false;
    while (choosing_[other]) std::this_thread::yield();
    while (goes_first(other, numbers_[other], me, mine)) std::this_thread::yield();
  }

  void unlock(int me) { numbers_[me] = 0; }

 private:
  static bool goes_first(int other, int theirs, int me, int mine) {
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
  }

  std::atomic<bool> choosing_[2] = {false, false};
  std::atomic<int> numbers_[2] = {0, 0};
};

int main() {
  BakeryLock lock;
  int served = 0;
  auto customer = [&](int me) {
    lock.lock(me);
    served++;
    lock.unlock(me);
  };
  std::thread other(customer, 1);
  customer(0);
  other.join();
  assert(served == 2);
}
