// Transfers in opposite directions that take both locks at once with std::scoped_lock.
//
// norn: pass
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

static bool transfer(Account& from, Account& to, int amount) {
  std::scoped_lock both(from.mutex, to.mutex);
  if (from.balance < amount) return false;
  from.balance -= amount;
  to.balance += amount;
  return true;
}

int main() {
  Account alice, bob;
  bool rent = false, refund = false;
  std::thread landlord([&] { rent = transfer(alice, bob, 130); });
  std::thread tenant([&] { refund = transfer(bob, alice, 40); });
  landlord.join();
  tenant.join();
  assert(refund);
  assert(alice.balance == (rent ? 10 : 140));
  assert(alice.balance + bob.balance == 200);
}
