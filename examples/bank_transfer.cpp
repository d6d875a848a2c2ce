// Two transfers in opposite directions between two accounts. Each locks the account it takes from and then the one it
// gives to, so two of them can hold one lock each and wait for the other's for ever.
//
// norn: bug deadlock
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard lock_from(from.mutex);
  std::lock_guard lock_to(to.mutex);  // std::scoped_lock(from.mutex, to.mutex) would do it right
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account alice, bob;
  std::thread rent([&] { transfer(alice, bob, 30); });
  std::thread refund([&] { transfer(bob, alice, 10); });
  rent.join();
  refund.join();
  assert(alice.balance == 80 && bob.balance == 120);
}
