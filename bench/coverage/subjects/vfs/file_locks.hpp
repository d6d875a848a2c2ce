// Locks on files that programs agree to respect: many readers or one writer. Whoever waits for one must hold no other,
// otherwise nothing keeps two of them from waiting for each other.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>

#include "result.hpp"

namespace vfs {

class FileLocks {
 public:
  void lock_shared(int node) {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return !states_[node].writer; });
    ++states_[node].readers;
  }

  void lock_exclusive(int node) {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return states_[node].free(); });
    states_[node].writer = true;
  }

  bool try_lock_exclusive(int node) {
    const std::lock_guard guard(mutex_);
    if (!states_[node].free()) return false;
    states_[node].writer = true;
    return true;
  }

  bool try_lock_shared(int node) {
    const std::lock_guard guard(mutex_);
    if (states_[node].writer) return false;
    ++states_[node].readers;
    return true;
  }

  Status unlock_shared(int node) {
    const std::lock_guard guard(mutex_);
    if (states_[node].readers == 0) return Status::invalid;
    --states_[node].readers;
    drop_if_free(node);
    return Status::ok;
  }

  Status unlock_exclusive(int node) {
    const std::lock_guard guard(mutex_);
    if (!states_[node].writer) return Status::invalid;
    states_[node].writer = false;
    drop_if_free(node);
    return Status::ok;
  }

  // A writer that only reads from now on lets readers in.
  Status downgrade(int node) {
    const std::lock_guard guard(mutex_);
    if (!states_[node].writer) return Status::invalid;
    states_[node].writer = false;
    states_[node].readers = 1;
    changed_.notify_all();
    return Status::ok;
  }

  std::size_t locked() const {
    const std::lock_guard guard(mutex_);
    std::size_t result = 0;
    for (const auto& entry : states_) result += entry.second.free() ? 0 : 1;
    return result;
  }

 private:
  struct State {
    int readers = 0;
    bool writer = false;
    bool free() const { return readers == 0 && !writer; }
  };

  void drop_if_free(int node) {
    if (states_[node].free()) states_.erase(node);
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, State> states_;
};

}  // namespace vfs
