// An account whose deposits and withdrawals take the lock and whose statement does not, because "it only reads".
//
// norn: bug data-race
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard lock(mutex_);
    balance_ += amount;
  }

  void withdraw(int amount) {
    std::lock_guard lock(mutex_);
    if (balance_ >= amount) balance_ -= amount;
  }

  int statement() const { return balance_; }

 private:
  std::mutex mutex_;
  int balance_ = 100;
};

int main() {
  Account account;
  int shown = 0;
  std::thread customer([&] {
    account.deposit(50);
    account.withdraw(30);
  });
  std::thread printer([&] { shown = account.statement(); });
  customer.join();
  printer.join();
  return shown < 0;
}
