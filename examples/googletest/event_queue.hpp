#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

/// Events from any thread to any thread.
class EventQueue {
 public:
  void push(int event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
    not_empty_.notify_one();
  }

  int pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !events_.empty(); });
    const int event = events_.front();
    events_.pop_front();
    return event;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<int> events_;
};

/// The same in a hurry: whoever waits is woken only by the first event. When two wait and two events come before the
/// first of them is up, the other sleeps for ever.
class HastyQueue {
 public:
  void push(int event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
    if (events_.size() == 1) not_empty_.notify_one();
  }

  int pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !events_.empty(); });
    const int event = events_.front();
    events_.pop_front();
    return event;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<int> events_;
};
