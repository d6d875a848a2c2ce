#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "trace/thread_names.hpp"

namespace norn::exec {

/// Who the threads are, in shared memory: processes that explore together add to it, so that a slot belongs to the same
/// thread in all of them.
class Descent {
 public:
  static Descent map(std::size_t threads);
  void unmap() const;
  /// Those of all threads so far, for another process.
  [[nodiscard]] std::vector<Identity> copy() const;
  /// As it was in another process; false if there is not enough room.
  [[nodiscard]] bool restore(std::span<const Identity> threads) const;

  [[nodiscard]] std::span<const Identity> identities() const {
    return all_.first(std::min<std::size_t>(*count_, all_.size()));
  }
  /// Those that are still to come as well.
  [[nodiscard]] std::span<const Identity> all() const { return all_; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  /// The slot of the next child of `parent` after `last` (no_thread: the first); no_thread if there may be no more.
  [[nodiscard]] ThreadId child(ThreadId parent, ThreadId last) const;

 private:
  std::atomic<std::uint32_t>* count_ = nullptr;
  std::span<Identity> all_;
};

}  // namespace norn::exec
