#include "analysis/lock_order.hpp"

#include <algorithm>

namespace norn::analysis {
namespace {

/// Longer cycles are not looked for: their number explodes, and the short ones show the mistake.
constexpr std::size_t longest_cycle = 5;

bool share_a_guard(const LockEdge& a, const LockEdge& b) {
  const std::span<const void* const> guards(a.guards, a.guard_count);
  return std::any_of(b.guards, b.guards + b.guard_count,
                     [&](const void* guard) { return std::find(guards.begin(), guards.end(), guard) != guards.end(); });
}

class Search {
 public:
  Search(std::span<const LockEdge> edges, std::size_t limit) : edges_(edges), limit_(limit) {}

  std::vector<LockCycle> run() {
    for (std::size_t length = 2; length <= longest_cycle; ++length)
      for (const LockEdge& edge : edges_) {
        cycle_ = {edge};
        extend(length);
      }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool fits(const LockEdge& next) const {
    if (next.holds != cycle_.back().takes) return false;
    return std::none_of(cycle_.begin(), cycle_.end(), [&](const LockEdge& edge) {
      return edge.thread == next.thread || edge.holds == next.holds || share_a_guard(edge, next);
    });
  }

  void extend(std::size_t length) {
    if (found_.size() == limit_) return;
    if (cycle_.size() == length) {
      if (cycle_.back().takes == cycle_.front().holds && is_first_turn() && !is_known()) found_.push_back(cycle_);
      return;
    }
    for (const LockEdge& next : edges_) {
      if (!fits(next)) continue;
      cycle_.push_back(next);
      extend(length);
      cycle_.pop_back();
    }
  }

  /// Of the turns of a cycle, the one that begins with the lowest thread.
  [[nodiscard]] bool is_first_turn() const {
    const auto lower = [](const LockEdge& a, const LockEdge& b) { return a.thread < b.thread; };
    return std::min_element(cycle_.begin(), cycle_.end(), lower) == cycle_.begin();
  }

  /// The same places in other threads are the same mistake.
  [[nodiscard]] bool is_known() const {
    const auto same_places = [](const LockEdge& a, const LockEdge& b) {
      return a.takes_site == b.takes_site && a.holds_site == b.holds_site;
    };
    return std::any_of(found_.begin(), found_.end(), [&](const LockCycle& other) {
      return std::is_permutation(cycle_.begin(), cycle_.end(), other.begin(), other.end(), same_places);
    });
  }

  std::span<const LockEdge> edges_;
  std::size_t limit_;
  LockCycle cycle_;
  std::vector<LockCycle> found_;
};

}  // namespace

std::vector<LockCycle> lock_cycles(std::span<const LockEdge> edges, std::size_t limit) {
  return Search(edges, limit).run();
}

}  // namespace norn::analysis
