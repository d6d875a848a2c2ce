#pragma once

#include <mutex>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  /// False if there is not enough.
  bool withdraw(int amount) {
    const std::lock_guard lock(mutex_);
    if (balance_ < amount) return false;
    balance_ -= amount;
    return true;
  }

  int balance() {
    const std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

/// Every access is locked, and yet two can withdraw the same money: between looking and taking, the lock is given back.
class CarelessAccount {
 public:
  explicit CarelessAccount(int balance) : balance_(balance) {}

  bool withdraw(int amount) {
    if (balance() < amount) return false;
    const std::lock_guard lock(mutex_);
    balance_ -= amount;
    return true;
  }

  int balance() {
    const std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_;
};
