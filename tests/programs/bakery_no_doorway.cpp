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
  void lock(int me) {
    const int other = 1 - me;
    const int mine = numbers_[other] + 1;
    numbers_[me] = mine;
    while (goes_first(other, numbers_[other], me, mine)) std::this_thread::yield();
  }

  void unlock(int me) { numbers_[me] = 0; }

 private:
  static bool goes_first(int other, int theirs, int me, int mine) {
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
  }

  std::atomic<int> numbers_[2] = {0, 0};
};

int main() {
  BakeryLock lock;
  std::atomic<int> customers{0};
  auto customer = [&](int me) {
    lock.lock(me);
    const int inside = customers.fetch_add(1);
    assert(inside == 0);
    customers.fetch_sub(1);
    lock.unlock(me);
  };
  std::thread other(customer, 1);
  customer(0);
  other.join();
}
