#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "support/mapped_allocator.hpp"
#include "trace/canonical.hpp"
#include "trace/trace.hpp"

namespace norn {

/// Counts distinct behaviours, up to a limit that keeps its memory bounded.
class Fingerprints {
 public:
  static constexpr std::size_t limit = std::size_t{1} << 20;
  /// Of small explorations; others have a table for as many as are counted at once, so that what an exploration takes
  /// does not depend on how long it is.
  static constexpr std::size_t few = std::size_t{1} << 13;

  /// True if this behaviour is new, or may be.
  bool add(const Trace& trace) { return count_ > limit || add(of(trace)); }
  bool add(std::uint64_t behaviour) {
    const std::uint64_t fingerprint = behaviour | 1;
    if (count_ > limit || !put(fingerprint)) return count_ > limit;
    if (keeps_new_) new_.push_back(fingerprint);
    if (++count_ * 2 > table_.size() && count_ <= limit) grow();
    return true;
  }
  void add_all(std::span<const std::uint64_t> behaviours) {
    // What is added soon is on its way from memory meanwhile.
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < behaviours.size() && count_ <= limit; ++i) {
      if (i + ahead < behaviours.size()) __builtin_prefetch(&table_[place_of(behaviours[i + ahead] | 1)], 1);
      add(behaviours[i]);
    }
  }
  /// One, but nobody asks whether it is new: it is added when its place in the table has come from memory, which
  /// is during the next run.
  void add_later(const Trace& trace) {
    settle();
    if (count_ > limit) return;
    later_ = of(trace) | 1;
    __builtin_prefetch(&table_[place_of(later_)], 1);
  }

  std::uint64_t of(const Trace& trace) { return canonical_.fingerprint(trace.events, trace.identities, trace.homes); }

  /// Those that were added since the last time; from the first time on.
  std::vector<std::uint64_t> take_new() {
    settle();
    if (!std::exchange(keeps_new_, true))
      std::copy_if(table_.begin(), table_.end(), std::back_inserter(new_), std::identity());
    return std::exchange(new_, {});
  }

  /// All of them but those that take_new has not given yet; nothing if they are too many to count.
  [[nodiscard]] std::vector<std::uint64_t> all_but_new() const {
    std::vector<std::uint64_t> all;
    if (count_ > limit) return all;
    all.reserve(count_);
    std::copy_if(table_.begin(), table_.end(), std::back_inserter(all), std::identity());
    if (new_.empty()) return all;
    std::sort(all.begin(), all.end());
    std::vector<std::uint64_t> recent = new_;
    std::sort(recent.begin(), recent.end());
    std::vector<std::uint64_t> old;
    std::set_difference(all.begin(), all.end(), recent.begin(), recent.end(), std::back_inserter(old));
    return old;
  }
  [[nodiscard]] std::int64_t count_but_new() const {
    return count_ > limit ? -1 : static_cast<std::int64_t>(count_ - new_.size());
  }
  [[nodiscard]] bool are_too_many() const { return count_ > limit; }
  /// From now on, as if they had been too many.
  void give_up() { count_ = limit + 1; }

  /// How many there were, or -1 if they are too many to remember.
  [[nodiscard]] std::int64_t count() {
    settle();
    return count_ > limit ? -1 : static_cast<std::int64_t>(count_);
  }

 private:
  using Table = std::vector<std::uint64_t, MappedAllocator<std::uint64_t>>;

  void settle() {
    if (later_ != 0) add(std::exchange(later_, 0));
  }
  [[nodiscard]] std::size_t place_of(std::uint64_t fingerprint) const {
    return (fingerprint >> 7) & (table_.size() - 1);
  }
  /// False if it was there.
  bool put(std::uint64_t fingerprint) {
    std::size_t i = place_of(fingerprint);
    while (table_[i] != 0 && table_[i] != fingerprint) i = (i + 1) & (table_.size() - 1);
    return std::exchange(table_[i], fingerprint) == 0;
  }
  void grow() {
    Table old(table_.size() < 2 * few ? 2 * few : 2 * limit);
    old.swap(table_);
    for (const std::uint64_t fingerprint : old)
      if (fingerprint != 0) put(fingerprint);
  }

  CanonicalForm canonical_;
  Table table_ = Table(1024);
  std::size_t count_ = 0;
  bool keeps_new_ = false;
  std::vector<std::uint64_t> new_;
  std::uint64_t later_ = 0;  ///< 0: nothing is to be added
};

}  // namespace norn
