// Loads that see the state before a change come before it. So loads that are changed can be part of a cycle, where each
// load comes before a change that the next one comes after.

#include "explore/reachability/contradictions.hpp"

#include <algorithm>
#include <optional>

namespace norn::reachability {
namespace {

/// Whether all new partners exist, and no event is to be in two places.
bool are_possible(const SynSequence& sequence, const Changes& changes) {
  for (const Change& change : changes.changes) {
    const Receiving& r = sequence.receiving[change.receiving];
    if (!changes.keep(sequence, r.structure)) return false;
    const Sending* s = Changes::new_partner(sequence, change);
    if (s == nullptr) continue;
    if (!changes.keep(sequence, s->structure)) return false;
    const auto has_same_event = [&](const Change& other) {
      const Receiving& look = sequence.receiving[other.receiving];
      return look.is_look && look.thread == s->sender && look.index == s->index;
    };
    if (!r.is_on_thread() && std::any_of(changes.changes.begin(), changes.changes.end(), has_same_event)) return false;
  }
  return true;
}

/// A load of the variant that comes before a change of its object.
struct Edge {
  std::uint32_t look;    ///< a receiving event
  std::uint32_t change;  ///< and another
  Row state;             ///< what the load sees
  bool is_new;           ///< it saw something else
};

class Contradictions {
 public:
  explicit Contradictions(const SynSequence& sequence) : sequence_(sequence) {}

  std::vector<Changes> solve(std::vector<Change> row) {
    resolve({std::move(row), {}, {}});
    return std::move(solutions_);
  }

 private:
  /// Decides one after the other of those that are part of a contradiction: it stays for ever, or it must not.
  void resolve(const Changes& changes) {
    if (!are_possible(sequence_, changes)) return;
    const std::vector<Edge> edges = edges_of(changes);
    const std::vector<std::size_t> cycle = cycle_of(edges);
    if (cycle.empty()) return solutions_.push_back(changes);
    const std::optional<std::uint32_t> next = undecided(changes, edges, cycle);
    if (!next) return;
    Changes decided = changes;
    decided.fixed.push_back(*next);
    resolve(decided);
    decided = changes;
    decided.changes.push_back({*next, none});
    resolve(decided);
  }

  [[nodiscard]] std::vector<Edge> edges_of(const Changes& changes) const {
    std::vector<Edge> edges;
    const auto is_changed_look = [&](const Change& change) { return sequence_.receiving[change.receiving].is_look; };
    if (std::none_of(changes.changes.begin(), changes.changes.end(), is_changed_look)) return edges;
    for (std::uint32_t i = 0; i < sequence_.receiving.size(); ++i) {
      const Receiving& r = sequence_.receiving[i];
      if (!r.is_look || !changes.keep(sequence_, r.structure)) continue;
      const Change* change = changes.find(i);
      const Sending* s = change == nullptr ? &r.partner : Changes::new_partner(sequence_, *change);
      if (s == nullptr || (change == nullptr && !changes.leave(sequence_, i))) continue;
      const States& on = sequence_.states_of(r.object);
      if (s->order >= on.receiving.size() || !changes.leave(sequence_, on.receiving[s->order])) continue;
      edges.push_back({i, on.receiving[s->order], s->structure, change != nullptr});
    }
    return edges;
  }

  /// Whether what the first load comes before happens before the second.
  [[nodiscard]] bool leads_to(const Edge& from, const Edge& to) const {
    const Receiving& change = sequence_.receiving[from.change];
    return sequence_.contains(sequence_.receiving[to.look].structure, change) || sequence_.contains(to.state, change);
  }

  /// Every cycle has a load that is changed.
  [[nodiscard]] std::vector<std::size_t> cycle_of(const std::vector<Edge>& edges) const {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!edges[i].is_new) continue;
      std::vector<bool> seen(edges.size(), false);
      std::vector<std::size_t> path = {i};
      if (comes_back(edges, seen, path)) return path;
    }
    return {};
  }

  bool comes_back(const std::vector<Edge>& edges, std::vector<bool>& seen, std::vector<std::size_t>& path) const {
    if (leads_to(edges[path.back()], edges[path.front()])) return true;
    for (std::size_t next = 0; next < edges.size(); ++next) {
      if (seen[next] || !leads_to(edges[path.back()], edges[next])) continue;
      seen[next] = true;
      path.push_back(next);
      if (comes_back(edges, seen, path)) return true;
      path.pop_back();
    }
    return false;
  }

  /// The first receiving event of the cycle that may still get another partner.
  [[nodiscard]] std::optional<std::uint32_t> undecided(const Changes& changes, const std::vector<Edge>& edges,
                                                       const std::vector<std::size_t>& cycle) const {
    const std::vector<Clock> past = changes.past(sequence_);
    for (std::uint32_t i = 0; i < sequence_.receiving.size(); ++i) {
      const Receiving& r = sequence_.receiving[i];
      if (r.is_black || past[r.thread] > r.index || !changes.leave(sequence_, i)) continue;
      if (i > 0 && are_one_step(sequence_.receiving[i - 1], r)) continue;
      for (std::size_t k = 0; k < cycle.size(); ++k)
        if (is_between(edges[cycle[k]], r, i, edges[cycle[(k + 1) % cycle.size()]])) return i;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_between(const Edge& from, const Receiving& r, std::uint32_t i, const Edge& to) const {
    const Receiving& change = sequence_.receiving[from.change];
    const bool is_after = i == from.change || are_one_step(r, change) || sequence_.contains(r.structure, change) ||
                          sequence_.contains(r.partner.structure, change);
    const bool is_before =
        sequence_.contains(sequence_.receiving[to.look].structure, r) || sequence_.contains(to.state, r);
    return i == to.look || (is_after && is_before);
  }

  const SynSequence& sequence_;
  std::vector<Changes> solutions_;
};

}  // namespace

std::vector<Changes> without_contradictions(const SynSequence& sequence, std::vector<Change> row) {
  return Contradictions(sequence).solve(std::move(row));
}

}  // namespace norn::reachability
