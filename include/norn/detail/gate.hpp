#pragma once

#include <norn/detail/runtime.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace norn::detail {

/// A thread that waits for a certain other one. It lives on the stack of the one that waits.
struct waiter {
  waiter* next = nullptr;
  std::condition_variable woken;
  bool go_on = false;
};

/// One thread at a time is inside, and can let in whom it wants.
class gate {
 public:
  gate() = default;
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;

  void enter(bool again = false) {
    if (explored()) return norn_door_enter(&door_, again ? 1 : 0);
    std::unique_lock guard(mutex_);
    if (user_ == std::this_thread::get_id()) misuse("a thread enters a monitor in which it is already");
    if (std::exchange(occupied_, true)) {
      waiter self;
      entering_.push(self);
      sleep(self, guard);
    }
    user_ = std::this_thread::get_id();
  }

  void leave() {
    if (explored()) return norn_door_leave(&door_);
    const std::lock_guard guard(mutex_);
    user_ = {};
    if (entering_.empty()) {
      occupied_ = false;
    } else {
      wake(entering_.pop());
    }
  }

  /// The caller is outside from now on, and `next`, which waits for its turn, inside.
  void hand_over(waiter& next) {
    if (explored()) return norn_door_hand_over(&door_, &next);
    const std::lock_guard guard(mutex_);
    user_ = {};
    wake(next);
  }

  /// The caller, who is outside, waits until it is let in; at `where`, if anybody asks.
  void wait_for_turn(waiter& self, const void* where) {
    if (explored()) return norn_door_wait(&door_, &self, where);
    std::unique_lock guard(mutex_);
    sleep(self, guard);
    user_ = std::this_thread::get_id();
  }

  /// The caller, who is outside, waits until somebody lets it go on, outside.
  void wait_outside(waiter& self, const void* where) {
    if (explored()) return norn_park(&self, where);
    std::unique_lock guard(mutex_);
    sleep(self, guard);
  }
  void let_go_on(waiter& other) {
    if (explored()) return norn_unpark(&other);
    const std::lock_guard guard(mutex_);
    wake(other);
  }

  [[nodiscard]] bool is_inside() const {
    if (explored()) return norn_door_is_mine(&door_) != 0;
    const std::lock_guard guard(mutex_);
    return user_ == std::this_thread::get_id();
  }

 private:
  static void sleep(waiter& self, std::unique_lock<std::mutex>& guard) {
    self.woken.wait(guard, [&self] { return self.go_on; });
    self.go_on = false;
  }
  static void wake(waiter& other) {
    other.go_on = true;
    other.woken.notify_one();
  }

  norn_door door_ = {};
  mutable std::mutex mutex_;
  bool occupied_ = false;  ///< perhaps by one that has been let in and has not gone on yet
  std::thread::id user_;
  queue<waiter> entering_;
};

}  // namespace norn::detail
