// An account that is asked for its balance in one critical section and charged in another. Every access is protected,
// and yet two cash machines that both found enough money overdraw it.
//
// norn: bug assertion
// norn expects: balance >= 0
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() const {
    std::lock_guard lock(mutex_);
    return balance_;
  }

  void charge(int amount) {
    std::lock_guard lock(mutex_);
    balance_ -= amount;
  }

 private:
  mutable std::mutex mutex_;
  int balance_;
};

class CashMachine {
 public:
  explicit CashMachine(Account& account) : account_(account) {}

  int pay_out(int amount) {
    if (account_.balance() < amount) return 0;
    account_.charge(amount);
    return amount;
  }

 private:
  Account& account_;
};

int main() {
  Account account(100);
  std::thread airport([&] { CashMachine(account).pay_out(60); });
  std::thread station([&] { CashMachine(account).pay_out(70); });
  airport.join();
  station.join();
  const int balance = account.balance();
  assert(balance >= 0);
}
