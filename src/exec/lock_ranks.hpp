#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>

#include "analysis/lock_order.hpp"

namespace norn::exec {

/// In which order mutexes are taken that are taken together: as threads take them that take one while they hold
/// another, if that is an order at all, and otherwise by address. Plain data, in memory shared with forked runs.
class LockRanks {
 public:
  struct Rank {
    const void* lock;
    std::uint64_t rank;
  };

  [[nodiscard]] bool comes_before(const void* one, const void* other) const {
    const std::uint64_t first = rank_of(one);
    const std::uint64_t second = rank_of(other);
    return first != second ? first < second : one < other;
  }
  [[nodiscard]] std::span<const Rank> all() const { return {ranks_, count_}; }

  /// What threads do counts from now on. False if that is not new, or if there is no such order.
  bool learn(std::span<const analysis::LockEdge> edges) {
    std::map<const void*, std::set<const void*>> before;
    for (const analysis::LockEdge& edge : edges) {
      before[edge.holds];
      before[edge.takes].insert(edge.holds);
    }
    if (before.size() > most) return false;
    const LockRanks old = *this;
    for (count_ = 0; !before.empty();) {
      const auto is_free = [](const auto& entry) { return entry.second.empty(); };
      const auto next = std::find_if(before.begin(), before.end(), is_free);
      if (next == before.end()) {
        *this = old;
        return false;
      }
      const void* const lock = next->first;
      add(lock, count_ + 1);
      before.erase(next);
      for (auto& [other, locks] : before) locks.erase(lock);
    }
    return !std::ranges::equal(all(), old.all(), {}, &Rank::lock, &Rank::lock);
  }
  void add(const void* lock, std::uint64_t rank) {
    if (count_ < most) ranks_[count_++] = {lock, rank};
  }

 private:
  static constexpr std::uint32_t most = 64;

  [[nodiscard]] std::uint64_t rank_of(const void* lock) const {
    const auto ranks = all();
    const auto rank = std::find_if(ranks.begin(), ranks.end(), [lock](const Rank& one) { return one.lock == lock; });
    return rank == ranks.end() ? 0 : rank->rank;
  }

  Rank ranks_[most];
  std::uint32_t count_;
};

}  // namespace norn::exec
