// Lamport's bakery: everybody draws a number that is higher than all others, and the lowest number is served first; who
// is still drawing is waited for. These customers look once and go away if it is not their turn.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class BakeryLock {
 public:
  bool try_lock(int me) {
    const int other = 1 - me;
    const int mine = draw(me);
    if (!choosing_[other] && !is_before(other, me, mine)) return true;
    unlock(me);
    return false;
  }

  void unlock(int me) { numbers_[me] = 0; }

 private:
  int draw(int me) {
    choosing_[me] = true;
    const int mine = numbers_[1 - me] + 1;
    numbers_[me] = mine;
    choosing_[me] = false;
    return mine;
  }

  bool is_before(int other, int me, int mine) const {
    const int theirs = numbers_[other];
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
  }

  std::atomic<bool> choosing_[2] = {false, false};
  std::atomic<int> numbers_[2] = {0, 0};
};

int main() {
  BakeryLock lock;
  int served = 0;
  bool bought[2] = {false, false};
  auto customer = [&](int me) {
    if (!lock.try_lock(me)) return;
    served++;
    bought[me] = true;
    lock.unlock(me);
  };
  std::thread other(customer, 1);
  customer(0);
  other.join();
  assert(served == bought[0] + bought[1]);
}
