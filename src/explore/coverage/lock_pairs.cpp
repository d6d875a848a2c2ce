// Criteria about locks: synchronization pairs (S. Hong, J. Ahn, S. Park, M. Kim, M. J. Harrold, "Testing concurrent
// programs to achieve high synchronization coverage", ISSTA 2012), and who blocked whom.

#include <map>

#include "explore/coverage/criterion.hpp"

namespace norn::coverage {
namespace {

bool any_two(const ThreadAction&, const ThreadAction&) { return true; }

class LockCriterion : public Criterion {
 public:
  [[nodiscard]] bool controls(Op op) const override { return is_lock_operation(op); }
};

/// One lock is taken at the first line, and the next time it is taken at the second.
class SyncPairs final : public LockCriterion {
 public:
  [[nodiscard]] std::string_view name() const override { return "sync-pairs"; }
  [[nodiscard]] bool counts_any_two() const override { return true; }
  [[nodiscard]] bool between_threads() const override { return false; }
  [[nodiscard]] bool begins(const Event& event) const override { return takes_lock(event); }

  [[nodiscard]] Estimated estimate(const ThreadModel& model, bool happens_before) const override {
    const std::vector<ThreadAction>& actions = model.actions();
    Estimated result = estimate_pairs(actions, any_two, [&](const ThreadAction& p, const ThreadAction& q) {
      return p.thread != q.thread && may_follow(model, p, q, happens_before);
    });
    for (const ThreadAction& p : actions)
      if (p.next != ThreadAction::none) result.accept({p.location, actions[p.next].location});  // AC1
    return result;
  }

  [[nodiscard]] std::set<Pair> covered(const Trace&, const ThreadModel& model) const override {
    std::set<Pair> pairs;
    std::map<const void*, Location> last;
    for (const ThreadAction& action : model.actions()) {
      const auto [entry, is_first] = last.try_emplace(action.object, action.location);
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

  [[nodiscard]] Estimated estimate(const ThreadModel& model, bool happens_before) const override {
    return estimate_pairs(model.actions(), any_two, [&](const ThreadAction& p, const ThreadAction& q) {
      if (p.thread == q.thread || !disjoint(p.held, q.held) || (p.reads && q.reads)) return false;
      return !(happens_before ? model.happens_before(q, p) : model.precedes(q, p));
    });
  }

  [[nodiscard]] std::set<Pair> covered(const Trace&, const ThreadModel& model) const override {
    std::set<Pair> pairs;
    std::map<const void*, std::vector<const ThreadAction*>> before;
    for (const ThreadAction& action : model.actions()) {
      std::vector<const ThreadAction*>& holders = before[action.object];
      for (auto holder = holders.rbegin(); holder != holders.rend(); ++holder) {
        if ((*holder)->thread == action.thread || ((*holder)->reads && action.reads)) continue;
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
