#pragma once

#include <condition_variable>
#include <mutex>
#include <queue>

/// Hands numbers from threads that push to threads that pop.
class Queue {
 public:
  void push(int number) {
    const std::lock_guard lock(mutex_);
    numbers_.push(number);
    changed_.notify_all();
  }
  int pop() {
    std::unique_lock lock(mutex_);
    if (numbers_.empty()) changed_.wait(lock);  // another thread may have been faster
    const int number = numbers_.front();
    numbers_.pop();
    return number;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<int> numbers_;
};
