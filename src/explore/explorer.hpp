#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/behaviour_graph.hpp"
#include "explore/findings.hpp"
#include "explore/fingerprints.hpp"
#include "explore/repetition.hpp"
#include "explore/standing.hpp"

namespace norn {

/// Whatever can run the program under test once. The explorer knows nothing else about execution.
class Runner {
 public:
  virtual ~Runner() = default;

  /// Forces `prefix`, then lets `strategy` choose. The trace is valid until the next run.
  virtual const Trace& run(const Prefix& prefix, Strategy& strategy) = 0;
  /// All pairs of accesses that race in a run; `schedule` is the whole of it.
  virtual std::vector<analysis::Race> find_races(const Prefix& schedule, Strategy& strategy) = 0;
  /// All of a run once more, from the beginning of the program. What it prints is kept.
  virtual const Trace& run_again(const Prefix& schedule) = 0;
  /// Whether the runs so far showed that more operations must be visible than were, so that exploration has to
  /// begin anew (this happens a few times at most).
  virtual bool must_restart() = 0;
  /// A run that goes on long after this is cut, with End::interrupted.
  virtual void finish_before(std::chrono::steady_clock::time_point) {}
  /// What the program printed in the last run, if that is kept.
  virtual std::string last_output() = 0;
  /// Which locks threads took while they held others, as far as it was not seen before in runs since this was
  /// forgotten.
  virtual std::span<const analysis::LockEdge> new_lock_order() { return {}; }
  virtual void forget_lock_order() {}
  /// What the program did that is not under control.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
};

/// Set from outside (a signal handler) to end an exploration after the run at hand.
extern volatile bool stop_requested;

/// What an exploration comes to.
struct Exploration : Findings {
  std::string strategy;  ///< that was at work in the end
  bool complete = false;
  std::vector<std::string> reasons;  ///< why not complete
  std::int64_t distinct = 0;         ///< -1: too many to count
  double seconds = 0;
  std::optional<Estimate> estimate;         ///< of the whole, if something is left
  std::vector<analysis::LockCycle> cycles;  ///< deadlocks that lock order predicts and no run showed
  unsigned attempts = 0;                    ///< to steer a run into each of them
};

/// Why an explorer stops.
enum class Stop : std::uint8_t {
  exhausted,    ///< nothing is left
  bug,          ///< the first one, and nobody wants more
  budget,       ///< there may be no more runs
  time,         ///< there is no more time
  asked,        ///< by somebody else
  interrupted,  ///< in the middle of a run, which counts as not done
  restart,      ///< more operations must be visible: all begins anew
  unsuitable,   ///< another strategy has to do it: all begins anew
};

class Explorer;

/// Somebody who looks at an exploration from time to time.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Not 0 when it wants to look.
  [[nodiscard]] virtual const std::atomic<std::uint32_t>& asks() const = 0;
  /// `begin` is when the exploration stopped for it.
  virtual void look(Explorer& explorer, std::chrono::steady_clock::time_point begin) = 0;
};

/// The loop: choose a prefix, run, learn, until nothing is left, a bug is found, or a budget is spent.
class Explorer {
 public:
  Explorer(const Options& options, Runner& runner);

  /// All of it, or what was left of it.
  Exploration explore(Watcher* watcher = nullptr, const Standing* from = nullptr);
  /// How far it came when somebody looked last, or in the end.
  [[nodiscard]] Standing standing() const;
  [[nodiscard]] Progress progress();

  // For several that share the work.

  /// Does the next so many runs (0: no limit) unless it has to stop before, or `asked` tells it to.
  Stop work(std::uint64_t runs, const std::atomic<std::uint32_t>& asked);
  /// From now on, this is what it has to do.
  void take_over(std::span<const Piece> pieces) { strategy_->take_over(pieces); }
  [[nodiscard]] std::vector<Piece> pieces() const { return strategy_->pieces(); }
  /// What was found since the last time.
  Findings take_findings();
  std::vector<std::uint64_t> take_fingerprints() { return fingerprints_.take_new(); }
  /// What all of it comes to, if it ends with `stop` and this is left. Looks for what no run showed.
  Exploration conclude(Stop stop, Findings findings, std::int64_t distinct, std::span<const Piece> left);

  /// With Options::graph: what was explored.
  [[nodiscard]] const BehaviourGraph& graph() const { return graph_; }
  /// Those of the strategy that was at work in the end.
  [[nodiscard]] const reachability::SequenceTree* sequences() const { return strategy_->sequences(); }

  /// The strategy to begin with.
  static std::string_view first_strategy(const Options& options);
  static std::string_view successor(std::string_view strategy, const Options& options);
  static std::string hand_over(std::string_view strategy, std::string_view reason, const Options& options);
  void begin(std::string_view strategy);

 private:
  void resume(const Standing& from);
  Stop work_in_time(const std::atomic<std::uint32_t>& asked);
  Stop work_within_limit(const std::atomic<std::uint32_t>& asked);
  void forget_behaviours();
  void settle();
  void note_whom_it_is_meant_for();
  bool learn(const Trace& trace);
  [[nodiscard]] bool ends_with(const Outcome& outcome) const;
  [[nodiscard]] bool ends_with_race_of(const Trace& trace) const;
  bool count(const Trace& trace);
  void list(const Trace& trace);
  void list_behaviour(const Trace& trace);
  void keep_races(const Prefix& schedule);
  void note_lock_order(const Trace& trace);
  void confirm_cycles(Exploration& result);
  void check_repetition(Exploration& result);
  std::vector<std::string> reasons(Stop stop, const Findings& found) const;
  [[nodiscard]] double elapsed() const;
  [[nodiscard]] bool is_out_of_time() const;

  using Clock = std::chrono::steady_clock;
  const Options& options_;
  Runner& runner_;
  std::unique_ptr<Strategy> strategy_;
  std::string_view strategy_name_;
  std::string remark_;  ///< that another strategy was wanted
  Fingerprints fingerprints_;
  bool told_apart_anew_ = false;  ///< the next run shows more operations than those so far
  Repetition repetition_;
  Findings findings_;
  Standing standing_;  ///< without the fingerprints, the remark and what findings_ adds
  double seconds_before_ = 0;
  bool watched_ = false;
  bool begun_anew_ = false;
  BehaviourGraph graph_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace norn
