// An account whose owner and whose bank move money at the same time. Every operation holds the lock for as long as it
// decides and acts, so the account is never overdrawn and no payment is lost.
//
// norn: pass
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  void deposit(int amount) {
    std::lock_guard lock(mutex_);
    balance_ += amount;
  }

  bool withdraw(int amount) {
    std::lock_guard lock(mutex_);
    if (balance_ < amount) return false;
    balance_ -= amount;
    return true;
  }

  int balance() const {
    std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  mutable std::mutex mutex_;
  int balance_;
};

int main() {
  Account account(100);
  int paid = 0;
  std::thread owner([&] {
    if (account.withdraw(80)) paid += 80;
    if (account.withdraw(50)) paid += 50;
  });
  std::thread bank([&] { account.deposit(20); });
  assert(account.balance() >= 0);
  owner.join();
  bank.join();
  assert(account.balance() == 120 - paid);
  assert(paid == 80 || paid == 50);
}
