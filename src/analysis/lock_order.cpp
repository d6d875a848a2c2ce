#include "analysis/lock_order.hpp"

#include <algorithm>

namespace norn::analysis {
namespace {

/// Longer cycles are not looked for: their number explodes, and the short ones show the mistake.
constexpr std::size_t longest_cycle = 5;

/// Whether both hold a lock that only one of them can hold.
bool share_a_guard(const LockEdge& a, const LockEdge& b) {
  for (unsigned i = 0; i < a.guard_count; ++i)
    for (unsigned k = 0; k < b.guard_count; ++k)
      if (a.guards[i] == b.guards[k] && ((a.shares >> i & 1) == 0 || (b.shares >> k & 1) == 0)) return true;
  return false;
}

/// Whether one thread wants what the other holds, and has to wait for it.
bool waits_for(const LockEdge& a, const LockEdge& b) { return a.takes == b.holds && !(a.takes_share && b.holds_share); }

class Search {
 public:
  Search(std::span<const KnownEdge> edges, std::size_t limit) : edges_(edges), limit_(limit) {}

  std::vector<LockCycle> run() {
    for (std::size_t length = 2; length <= longest_cycle; ++length)
      for (const KnownEdge& edge : edges_) {
        cycle_ = {edge};
        extend(length);
      }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool fits(const KnownEdge& next) const {
    if (!waits_for(cycle_.back(), next)) return false;
    return std::none_of(cycle_.begin(), cycle_.end(), [&](const KnownEdge& edge) {
      return edge.thread == next.thread || edge.holds == next.holds || share_a_guard(edge, next) ||
             edge.is_before(next) || next.is_before(edge);
    });
  }

  void extend(std::size_t length) {
    if (found_.size() == limit_) return;
    if (cycle_.size() == length) {
      if (waits_for(cycle_.back(), cycle_.front()) && is_first_turn() && !is_known()) found_.push_back(cycle_);
      return;
    }
    for (const KnownEdge& next : edges_) {
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

  std::span<const KnownEdge> edges_;
  std::size_t limit_;
  LockCycle cycle_;
  std::vector<LockCycle> found_;
};

}  // namespace

Kinship kinship(std::span<const Link> links, ThreadId thread) {
  std::vector<Kinship> rows(thread + 1U);
  const auto row = [&rows](ThreadId of) -> Kinship& {
    if (rows.size() <= of) rows.resize(of + 1U);
    if (rows[of].size() <= of) rows[of].resize(of + 1U);
    return rows[of];
  };
  for (const Link& link : links) {
    if (link.kind == LinkKind::created) {
      ++row(link.thread)[link.thread];
      Kinship inherited = row(link.thread);
      inherited.resize(std::max<std::size_t>(inherited.size(), link.other + 1U));
      inherited[link.other] = 0;
      row(link.other) = std::move(inherited);
    } else if (joins(link)) {
      const Kinship ended = row(link.other);
      Kinship& mine = row(link.thread);
      if (mine.size() < ended.size()) mine.resize(ended.size());
      for (std::size_t i = 0; i < ended.size(); ++i) mine[i] = std::max(mine[i], ended[i]);
      mine[link.other] = has_ended;
    }
  }
  return row(thread);
}

void add(std::vector<KnownEdge>& edges, KnownEdge edge) {
  const auto known = std::find_if(edges.begin(), edges.end(), [&](const KnownEdge& one) { return one.same_as(edge); });
  if (known == edges.end()) {
    edges.push_back(std::move(edge));
  } else if (known->schedule.empty()) {
    *known = std::move(edge);
  }
}

std::vector<LockCycle> lock_cycles(std::span<const KnownEdge> edges, std::size_t limit) {
  return Search(edges, limit).run();
}

}  // namespace norn::analysis
