// Transfers in opposite directions that lock the account with the lower number first.
//
// norn: pass
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  explicit Account(int n) : number(n) {}
  const int number;
  std::mutex mutex;
  int balance = 100;
};

static bool transfer(Account& from, Account& to, int amount) {
  std::mutex& first = from.number < to.number ? from.mutex : to.mutex;
  std::mutex& second = from.number < to.number ? to.mutex : from.mutex;
  std::lock_guard lock_first(first);
  std::lock_guard lock_second(second);
  if (from.balance < amount) return false;
  from.balance -= amount;
  to.balance += amount;
  return true;
}

int main() {
  Account alice(1), bob(2);
  bool rent = false, refund = false;
  std::thread landlord([&] { rent = transfer(alice, bob, 130); });
  std::thread tenant([&] { refund = transfer(bob, alice, 40); });
  landlord.join();
  tenant.join();
  assert(refund);
  assert(alice.balance == (rent ? 10 : 140));
  assert(alice.balance + bob.balance == 200);
}
