// Criteria about accesses to variables: atomic ones, and plain ones that threads share, which are events then
// (Options::plain, "shared").

#include <map>

#include "explore/coverage/criterion.hpp"

namespace norn::coverage {
namespace {

/// Pairs of accesses of one variable by different threads, the second right after the first. What libraries do by
/// themselves, in no line of the program's, does not count.
class AccessPairs : public Criterion {
 public:
  [[nodiscard]] bool controls(Op op) const override { return is_access(op); }

  [[nodiscard]] Estimated estimate(const ThreadModel& model, bool happens_before) const override {
    const auto concerns = [this](const ThreadAction& p, const ThreadAction& q) {
      return p.thread != q.thread && is_pair(p.writes, q.reads, q.writes) && p.location != library_location &&
             q.location != library_location;
    };
    const auto accepts = [&](const ThreadAction& p, const ThreadAction& q) {
      return may_follow(model, p, q, happens_before);
    };
    return estimate_pairs(model.accesses(only_writes_begin()), concerns, accepts);
  }

  [[nodiscard]] std::set<Pair> covered(const Trace& trace, const ThreadModel&) const override {
    struct Access {
      ThreadId thread;
      Location location;
      bool writes;
    };
    std::set<Pair> pairs;
    std::map<const void*, Access> last;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const Event& event = trace.events[i];
      if (!is_access(event.op)) continue;
      const Access access{event.thread, trace.locations[i], writes_variable(event)};
      const auto before = last.find(event.object);
      if (before != last.end() && before->second.thread != access.thread &&
          is_pair(before->second.writes, reads_variable(event.op), access.writes) &&
          before->second.location != library_location && access.location != library_location)
        pairs.insert({before->second.location, access.location});
      if (begins(event)) last[event.object] = access;
    }
    return pairs;
  }

  [[nodiscard]] bool begins(const Event& event) const override {
    return only_writes_begin() ? writes_variable(event) : is_access(event.op);
  }

 private:
  [[nodiscard]] virtual bool only_writes_begin() const = 0;
  [[nodiscard]] virtual bool is_pair(bool first_writes, bool second_reads, bool second_writes) const = 0;
};

/// At least one of the two writes.
class StatementPairs final : public AccessPairs {
 public:
  [[nodiscard]] std::string_view name() const override { return "statement-pairs"; }

 private:
  [[nodiscard]] bool only_writes_begin() const override { return false; }
  [[nodiscard]] bool is_pair(bool first_writes, bool, bool second_writes) const override {
    return first_writes || second_writes;
  }
};

/// The second reads what the first wrote.
class DefUsePairs final : public AccessPairs {
 public:
  [[nodiscard]] std::string_view name() const override { return "def-use-pairs"; }

 private:
  [[nodiscard]] bool only_writes_begin() const override { return true; }
  [[nodiscard]] bool is_pair(bool first_writes, bool second_reads, bool) const override {
    return first_writes && second_reads;
  }
};

}  // namespace

std::unique_ptr<Criterion> make_statement_pairs() { return std::make_unique<StatementPairs>(); }
std::unique_ptr<Criterion> make_def_use_pairs() { return std::make_unique<DefUsePairs>(); }

}  // namespace norn::coverage
