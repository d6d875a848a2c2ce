// Criteria about locks: synchronization pairs (S. Hong, J. Ahn, S. Park, M. Kim, M. J. Harrold, "Testing concurrent
// programs to achieve high synchronization coverage", ISSTA 2012), and who blocked whom.

#include <algorithm>
#include <map>

#include "explore/coverage/criterion.hpp"

namespace norn::coverage {
namespace {

bool disjoint(const Lockset& one, const Lockset& other) {
  return std::none_of(one.begin(), one.end(),
                      [&](const void* lock) { return std::binary_search(other.begin(), other.end(), lock); });
}

/// Actions of one thread that make no difference for any requirement are one: loops have many.
bool same_for_requirements(const LockAction& one, const LockAction& other) {
  return one.thread == other.thread && one.location == other.location && one.held == other.held &&
         one.held_until_next == other.held_until_next && one.held_since_previous == other.held_since_previous &&
         one.created == other.created && one.ended == other.ended;
}

using ByLock = std::map<const void*, std::vector<const LockAction*>>;

ByLock different_actions(const ThreadModel& model) {
  ByLock by_lock;
  for (const LockAction& action : model.actions()) {
    std::vector<const LockAction*>& known = by_lock[action.lock];
    const auto is_same = [&](const LockAction* one) { return same_for_requirements(*one, action); };
    if (std::none_of(known.begin(), known.end(), is_same)) known.push_back(&action);
  }
  return by_lock;
}

template <typename Accept>
Estimated pairs_of_threads(const ThreadModel& model, const Accept& accepts) {
  Estimated result;
  for (const auto& [lock, actions] : different_actions(model))
    for (const LockAction* first : actions)
      for (const LockAction* second : actions) {
        if (first == second) continue;
        const bool accepted = first->thread != second->thread && accepts(*first, *second);
        (accepted ? result.accepted : result.rejected).insert({first->location, second->location});
      }
  return result;
}

void drop_accepted(Estimated& result) {
  for (const Pair& pair : result.accepted) result.rejected.erase(pair);
}

class LockCriterion : public Criterion {
 public:
  [[nodiscard]] bool controls(Op op) const override { return is_lock_operation(op); }
};

/// One lock is taken at the first line, and the next time it is taken at the second.
class SyncPairs final : public LockCriterion {
 public:
  [[nodiscard]] std::string_view name() const override { return "sync-pairs"; }
  [[nodiscard]] bool between_threads() const override { return false; }
  [[nodiscard]] bool begins(const Event& event) const override { return takes_lock(event); }

  /// The acceptance conditions AC1 to AC4 of section 2.3.
  [[nodiscard]] Estimated estimate(const Trace&, const ThreadModel& model, bool happens_before) const override {
    const auto accepts = [&](const LockAction& p, const LockAction& q) {
      if (!disjoint(p.held_until_next, q.held)) return false;                        // AC2
      if (!disjoint(p.held, q.held_since_previous)) return false;                    // AC3
      return !(happens_before ? model.happens_before(q, p) : model.precedes(q, p));  // AC4
    };
    Estimated result = pairs_of_threads(model, accepts);
    for (const LockAction& p : model.actions())  // AC1
      if (p.next != LockAction::none) result.accepted.insert({p.location, model.actions()[p.next].location});
    drop_accepted(result);
    return result;
  }

  [[nodiscard]] std::set<Pair> covered(const Trace&, const ThreadModel& model) const override {
    std::set<Pair> pairs;
    std::map<const void*, Location> last;
    for (const LockAction& action : model.actions()) {
      const auto [entry, is_first] = last.try_emplace(action.lock, action.location);
      if (is_first) continue;
      pairs.insert({entry->second, action.location});
      entry->second = action.location;
    }
    return pairs;
  }
};

/// A thread had to wait for a lock at the second line, because another one had taken it at the first.
class BlockingPairs final : public LockCriterion {
 public:
  [[nodiscard]] std::string_view name() const override { return "blocking-pairs"; }
  /// Nobody has to wait for what was taken before.
  [[nodiscard]] bool begins(const Event&) const override { return false; }

  [[nodiscard]] Estimated estimate(const Trace&, const ThreadModel& model, bool happens_before) const override {
    const auto accepts = [&](const LockAction& p, const LockAction& q) {
      if (!disjoint(p.held, q.held) || (p.shared && q.shared)) return false;
      return !(happens_before ? model.happens_before(q, p) : model.precedes(q, p));
    };
    Estimated result = pairs_of_threads(model, accepts);
    drop_accepted(result);
    return result;
  }

  [[nodiscard]] std::set<Pair> covered(const Trace&, const ThreadModel& model) const override {
    std::set<Pair> pairs;
    std::map<const void*, std::vector<const LockAction*>> before;
    for (const LockAction& action : model.actions()) {
      std::vector<const LockAction*>& holders = before[action.lock];
      for (auto holder = holders.rbegin(); holder != holders.rend(); ++holder) {
        if ((*holder)->thread == action.thread || ((*holder)->shared && action.shared)) continue;
        if ((*holder)->released <= action.arrival) break;
        pairs.insert({(*holder)->location, action.location});
      }
      holders.push_back(&action);
    }
    return pairs;
  }
};

}  // namespace

std::unique_ptr<Criterion> make_sync_pairs() { return std::make_unique<SyncPairs>(); }
std::unique_ptr<Criterion> make_blocking_pairs() { return std::make_unique<BlockingPairs>(); }

}  // namespace norn::coverage
