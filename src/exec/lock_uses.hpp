#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace norn::exec {

/// What matters of how a run uses its locks: whether somebody tries one of them that somebody takes together with
/// others. They are in the order in which the run came to them, so that going back in it is forgetting the last ones.
class LockUses {
 public:
  enum class How : std::uint8_t { tried, together };

  /// Whether the lock has been used in the other way, too. Also if there are more than can be remembered.
  bool add(const void* lock, How how) {
    const std::span known(uses_, count_);
    const auto use = std::find_if(known.begin(), known.end(), [lock](const Use& one) { return one.lock == lock; });
    if (use != known.end()) return use->how != how;
    if (count_ == most) return true;
    uses_[count_++] = {lock, how};
    return false;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  void forget_from(std::uint32_t count) { count_ = count; }

 private:
  static constexpr std::uint32_t most = 256;

  struct Use {
    const void* lock;
    How how;
  };

  Use uses_[most];
  std::uint32_t count_;
};

}  // namespace norn::exec
