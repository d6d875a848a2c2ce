// An account without any lock, as a beginner writes it: two deposits read the same balance, and the second to write
// takes the first one's money away.
//
// norn: bug assertion
// norn options: --plain visible --races ignore
// norn expects: account.balance() == 130
#include <cassert>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  void deposit(int amount) {
    const int before = balance_;
    const int after = before + amount;
    balance_ = after;
  }

  int balance() const { return balance_; }

 private:
  int balance_;
};

int main() {
  Account account(100);
  std::thread salary([&] { account.deposit(20); });
  std::thread interest([&] { account.deposit(10); });
  salary.join();
  interest.join();
  assert(account.balance() == 130);
}
