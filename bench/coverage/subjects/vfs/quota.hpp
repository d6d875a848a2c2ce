// How many bytes the files of a provider may have together.
#pragma once

#include <cstddef>
#include <mutex>

namespace vfs {

class Quota {
 public:
  explicit Quota(std::size_t limit) : limit_(limit) {}

  bool reserve(std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    if (used_ + bytes > limit_) {
      ++refused_;
      return false;
    }
    used_ += bytes;
    return true;
  }

  void release(std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    used_ -= bytes;
  }

  std::size_t used() const {
    const std::lock_guard guard(mutex_);
    return used_;
  }

  std::size_t free() const {
    const std::lock_guard guard(mutex_);
    return used_ < limit_ ? limit_ - used_ : 0;
  }

  // A limit below what is used only refuses further bytes.
  void set_limit(std::size_t limit) {
    const std::lock_guard guard(mutex_);
    limit_ = limit;
  }

  int refused() const {
    const std::lock_guard guard(mutex_);
    return refused_;
  }

 private:
  mutable std::mutex mutex_;
  std::size_t limit_;
  std::size_t used_ = 0;
  int refused_ = 0;
};

}  // namespace vfs
