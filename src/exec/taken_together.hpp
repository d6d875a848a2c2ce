#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace norn::exec {

/// Locks that some thread takes together with others, as far as runs have shown. Plain data, in memory shared with
/// forked runs.
class TakenTogether {
 public:
  /// Also if there are more than can be remembered.
  [[nodiscard]] bool contains(const void* lock) const {
    const std::span known(locks_, count_);
    return lacks_room_ || std::find(known.begin(), known.end(), lock) != known.end();
  }
  void add(const void* lock) {
    if (contains(lock)) return;
    lacks_room_ = count_ == most;
    if (!lacks_room_) locks_[count_++] = lock;
  }

 private:
  static constexpr std::uint32_t most = 256;

  const void* locks_[most];
  std::uint32_t count_;
  bool lacks_room_;
};

}  // namespace norn::exec
