// Lamport's bakery without waiting for those who are still drawing a number: a customer who has looked at the numbers
// but not yet shown his own is overlooked, and then two have the lowest number.
//
// norn: bug assertion
// norn expects: inside == 0
#include <atomic>
#include <cassert>
#include <thread>

class BakeryLock {
 public:
  bool try_lock(int me) {
    const int other = 1 - me;
    const int mine = numbers_[other] + 1;
    numbers_[me] = mine;
    const int theirs = numbers_[other];
    if (theirs == 0 || theirs > mine || (theirs == mine && other > me)) return true;
    unlock(me);
    return false;
  }

  void unlock(int me) { numbers_[me] = 0; }

 private:
  std::atomic<int> numbers_[2] = {0, 0};
};

int main() {
  BakeryLock lock;
  std::atomic<int> customers{0};
  auto customer = [&](int me) {
    if (!lock.try_lock(me)) return;
    const int inside = customers.fetch_add(1);
    assert(inside == 0);
    customers.fetch_sub(1);
    lock.unlock(me);
  };
  std::thread other(customer, 1);
  customer(0);
  other.join();
}
