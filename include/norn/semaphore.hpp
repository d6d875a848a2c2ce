#pragma once

// Semaphores with the operations P and V.
//
// counting_semaphore: P waits until the value is positive and takes one; V gives one and never waits.
// binary_semaphore: its value is 0 or 1, and V waits until it is 0. So P and V alternate.
//
// Under `norn check`, each P and each V is one event on the semaphore.

#include <norn/detail/runtime.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <semaphore>

namespace norn {

class counting_semaphore {
 public:
  explicit counting_semaphore(std::ptrdiff_t initial) : semaphore_(not_negative(initial)) {}
  void P() { semaphore_.acquire(); }
  void V() { semaphore_.release(); }

 private:
  static std::ptrdiff_t not_negative(std::ptrdiff_t initial) {
    if (initial < 0) detail::misuse("a counting semaphore is 0 or more at first");
    return initial;
  }

  std::counting_semaphore<> semaphore_;
};

class binary_semaphore {
 public:
  explicit binary_semaphore(int initial) : value_(initial) {
    if (initial != 0 && initial != 1) detail::misuse("a binary semaphore is 0 or 1 at first");
  }
  binary_semaphore(const binary_semaphore&) = delete;
  binary_semaphore& operator=(const binary_semaphore&) = delete;

  void P() {
    if (detail::explored()) return norn_binary_acquire(&value_);
    set(0);
  }
  void V() {
    if (detail::explored()) return norn_binary_release(&value_);
    set(1);
  }

 private:
  void set(std::ptrdiff_t value) {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return value_ != value; });
    value_ = value;
    // Those who wait for the one and those who wait for the other are the same queue.
    changed_.notify_all();
  }

  std::ptrdiff_t value_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace norn
