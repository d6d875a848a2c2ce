#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "analysis/history.hpp"
#include "analysis/lock_order.hpp"
#include "explore/fingerprints.hpp"
#include "explore/strategy.hpp"

namespace norn {

/// Whatever can run the program under test once. The explorer knows nothing else about execution.
class Runner {
 public:
  virtual ~Runner() = default;

  /// Forces `prefix`, then lets `strategy` choose. The trace is valid until the next run.
  virtual const Trace& run(const Prefix& prefix, Strategy& strategy) = 0;
  /// All pairs of accesses that race in a run; `schedule` is the whole of it.
  virtual std::vector<analysis::Race> find_races(const Prefix& schedule, Strategy& strategy) = 0;
  /// Whether the runs so far showed that more operations must be visible than were, so that exploration has to
  /// begin anew (this happens a few times at most).
  virtual bool must_restart() = 0;
  /// What the program printed in the last run, if that is kept.
  virtual std::string last_output() = 0;
  /// Which locks threads took while they held others, in all runs so far.
  [[nodiscard]] virtual std::vector<analysis::LockEdge> lock_order() const = 0;
  /// What the program did that is not under control.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
};

/// Set from outside (a signal handler) to end an exploration after the run at hand.
extern volatile bool stop_requested;

struct Bug {
  Outcome outcome;
  std::vector<Choice> schedule;
  std::uint64_t count = 1;   ///< how many runs showed it
  analysis::Race race = {};  ///< of a data race

  /// A race is the same wherever its two places race; everything else by how it shows.
  [[nodiscard]] bool is_same(const Bug& other) const;
};

/// Whether two failing runs show the same bug.
bool same_bug(const Outcome& one, const Outcome& other);

/// How runs can end for the program's users: by status and by what was printed.
using Outcomes = std::map<std::pair<std::string, std::string>, std::uint64_t>;

struct Exploration {
  bool complete = false;
  std::vector<std::string> reasons;  ///< why not complete
  std::string guarantee;
  std::uint64_t executions = 0;
  std::uint64_t partial_runs = 0;  ///< given up, because they could only repeat what other runs show
  std::uint64_t deadlocks = 0;
  std::uint64_t events = 0;
  std::uint32_t threads_max = 0;
  std::int64_t distinct = 0;  ///< -1: too many to count
  double seconds = 0;
  std::vector<Bug> bugs;
  std::vector<Bug> warnings;                ///< races, if they are only reported
  std::vector<analysis::LockCycle> cycles;  ///< deadlocks that lock order predicts and no run showed
  Outcomes outcomes;
  std::vector<std::string> behaviours;  ///< with Options::list_behaviours: `status fingerprint [preemptions]`
  std::vector<std::string> runs;        ///< with Options::list_runs: `status thread:operation ...`
};

/// The loop: choose a prefix, run, learn, until nothing is left, a bug is found, or a budget is spent.
class Explorer {
 public:
  Explorer(const Options& options, Runner& runner);

  Exploration explore();

 private:
  void begin(std::string_view strategy);
  [[nodiscard]] bool is_automatic() const { return strategy_name_ == "dpor" && options_.strategy == "auto"; }
  bool learn(const Trace& trace);
  bool count(const Trace& trace);
  void list(const Trace& trace);
  void list_behaviour(const Trace& trace);
  void keep(std::vector<Bug>& bugs, Bug bug);
  void keep_races(const Prefix& schedule);
  void confirm_cycles();
  bool budget_spent();
  void conclude(bool exhausted);
  [[nodiscard]] double elapsed() const;

  const Options& options_;
  Runner& runner_;
  std::unique_ptr<Strategy> strategy_;
  Fingerprints fingerprints_;
  std::map<End, std::uint64_t> cuts_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t max_executions_;
  std::string_view strategy_name_;
  std::string_view unsuitable_;  ///< why the strategy may miss something, as far as the runs so far show
  Exploration result_;
};

}  // namespace norn
