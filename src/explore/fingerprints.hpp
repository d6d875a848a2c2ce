#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "trace/canonical.hpp"
#include "trace/trace.hpp"

namespace norn {

/// Counts distinct behaviours, up to a limit that keeps its memory bounded.
class Fingerprints {
 public:
  static constexpr std::size_t limit = std::size_t{1} << 20;

  /// True if this behaviour is new, or may be.
  bool add(const Trace& trace) { return count_ > limit || add(of(trace)); }
  bool add(std::uint64_t behaviour) {
    if (count_ > limit) return true;
    const std::uint64_t fingerprint = behaviour | 1;
    for (std::size_t i = fingerprint >> 7;; ++i) {
      std::uint64_t& entry = table_[i & (table_.size() - 1)];
      if (entry == fingerprint) return false;
      if (entry != 0) continue;
      entry = fingerprint;
      if (keeps_new_) new_.push_back(fingerprint);
      if (++count_ * 2 > table_.size()) grow();
      return true;
    }
  }

  std::uint64_t of(const Trace& trace) { return canonical_.fingerprint(trace.events, trace.identities); }

  /// Those that were added since the last time; from the first time on.
  std::vector<std::uint64_t> take_new() {
    if (!std::exchange(keeps_new_, true))
      std::copy_if(table_.begin(), table_.end(), std::back_inserter(new_), std::identity());
    return std::exchange(new_, {});
  }

  /// How many there were, or -1 if they are too many to remember.
  [[nodiscard]] std::int64_t count() const { return count_ > limit ? -1 : static_cast<std::int64_t>(count_); }

 private:
  void grow() {
    std::vector<std::uint64_t> old(table_.size() * 2);
    old.swap(table_);
    for (const std::uint64_t fingerprint : old) {
      if (fingerprint == 0) continue;
      std::size_t i = fingerprint >> 7;
      while (table_[i & (table_.size() - 1)] != 0) ++i;
      table_[i & (table_.size() - 1)] = fingerprint;
    }
  }

  CanonicalForm canonical_;
  std::vector<std::uint64_t> table_ = std::vector<std::uint64_t>(1024);
  std::size_t count_ = 0;
  bool keeps_new_ = false;
  std::vector<std::uint64_t> new_;
};

}  // namespace norn
