// Criteria about accesses to variables: atomic ones, and plain ones where they are visible (--plain visible).

#include <map>

#include "explore/coverage/criterion.hpp"

namespace norn::coverage {
namespace {

bool is_access(Op op) {
  switch (op) {
    case Op::atomic_load:
    case Op::atomic_store:
    case Op::atomic_update:
    case Op::atomic_compare_exchange:
    case Op::plain_read:
    case Op::plain_write: return true;
    default: return false;
  }
}

bool reads(Op op) { return is_access(op) && op != Op::atomic_store && op != Op::plain_write; }
bool writes(const Event& event) { return is_access(event.op) && event.effect == Effect::write; }

struct Access {
  ThreadId thread;
  Location location;
  bool reads;
  bool writes;
  friend auto operator<=>(const Access&, const Access&) = default;
};

/// By variable: who accessed it, and where.
std::map<const void*, std::set<Access>> accesses_of(const Trace& trace) {
  std::map<const void*, std::set<Access>> accesses;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (const Event& event = trace.events[i]; is_access(event.op))
      accesses[event.object].insert({event.thread, trace.locations[i], reads(event.op), writes(event)});
  return accesses;
}

/// Pairs of accesses of one variable by different threads, the second right after the first.
class AccessPairs : public Criterion {
 public:
  [[nodiscard]] bool controls(Op op) const override { return is_access(op); }

  [[nodiscard]] Estimated estimate(const Trace& trace, const ThreadModel&, bool) const override {
    Estimated result;
    for (const auto& [object, accesses] : accesses_of(trace))
      for (const Access& first : accesses)
        for (const Access& second : accesses)
          if (first.thread != second.thread && may_follow(first, second))
            result.accepted.insert({first.location, second.location});
    return result;
  }

  [[nodiscard]] std::set<Pair> covered(const Trace& trace, const ThreadModel&) const override {
    std::set<Pair> pairs;
    std::map<const void*, Access> last;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const Event& event = trace.events[i];
      if (!is_access(event.op)) continue;
      const Access access{event.thread, trace.locations[i], reads(event.op), writes(event)};
      const auto before = last.find(event.object);
      if (before != last.end() && before->second.thread != access.thread && may_follow(before->second, access))
        pairs.insert({before->second.location, access.location});
      if (begins(event)) last[event.object] = access;
    }
    return pairs;
  }

 private:
  [[nodiscard]] virtual bool may_follow(const Access& first, const Access& second) const = 0;
};

/// At least one of the two writes.
class StatementPairs final : public AccessPairs {
 public:
  [[nodiscard]] std::string_view name() const override { return "statement-pairs"; }
  [[nodiscard]] bool begins(const Event& event) const override { return is_access(event.op); }

 private:
  [[nodiscard]] bool may_follow(const Access& first, const Access& second) const override {
    return first.writes || second.writes;
  }
};

/// The second reads what the first wrote.
class DefUsePairs final : public AccessPairs {
 public:
  [[nodiscard]] std::string_view name() const override { return "def-use-pairs"; }
  [[nodiscard]] bool begins(const Event& event) const override { return writes(event); }

 private:
  [[nodiscard]] bool may_follow(const Access& first, const Access& second) const override {
    return first.writes && second.reads;
  }
};

}  // namespace

std::unique_ptr<Criterion> make_statement_pairs() { return std::make_unique<StatementPairs>(); }
std::unique_ptr<Criterion> make_def_use_pairs() { return std::make_unique<DefUsePairs>(); }

}  // namespace norn::coverage
