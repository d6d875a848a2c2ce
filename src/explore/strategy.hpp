#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/estimate.hpp"
#include "support/options.hpp"
#include "trace/trace.hpp"

namespace norn::reachability {
class SequenceTree;
}

namespace norn {

using Prefix = std::vector<Choice>;

/// What a thread is about to do.
struct Upcoming {
  Op op = Op::none;
  const void* object = nullptr;
  const void* site = nullptr;
  std::uint64_t argument = 0;
  const void* const* ports = nullptr;  ///< that are open, if it receives
  Location location = 0;               ///< if the strategy asks for lines
  const void* mutex = nullptr;         ///< that it gives back in the same step, if it begins to wait for a condition
};

/// The threads of the run at hand, as far as strategies may see them.
class ThreadsView {
 public:
  [[nodiscard]] virtual Upcoming upcoming(ThreadId thread) const = 0;
  /// What has happened so far.
  [[nodiscard]] virtual std::span<const Event> events() const = 0;
  /// And what that did to other threads without being an event.
  [[nodiscard]] virtual std::span<const Link> links() const { return {}; }
  /// And where, if the strategy asks for lines.
  [[nodiscard]] virtual std::span<const Location> locations() const { return {}; }
  /// Where threads are known to wait in loops: a site and an object each.
  using WaitingPlaces = std::vector<std::pair<const void*, const void*>>;
  [[nodiscard]] virtual WaitingPlaces waiting_places() const { return {}; }
  [[nodiscard]] virtual bool knows_waiting_places() const { return false; }

 protected:
  ~ThreadsView() = default;
};

/// What a strategy may look at when a run has left its prefix and must choose.
struct FreeChoice {
  std::uint32_t step;               ///< events so far in this run
  ThreadId last;                    ///< the thread that moved last, or no_thread
  std::span<const Choice> enabled;  ///< never empty; ordered by thread
  const ThreadsView* threads = nullptr;
};

/// Instead of a choice: what could come now is not worth seeing.
inline constexpr std::size_t give_up = SIZE_MAX;

/// A part of what is left to do, which can be done anywhere.
struct Piece {
  std::string work;
  Size size;  ///< as far as can be foreseen

  template <typename Archive>
  void archive(Archive& parts) {
    parts(work, size);
  }
};

/// Set from outside if the exploration was to end long ago: whatever takes long in `Strategy::learn` ends at once. Then
/// the run counts as not done.
extern volatile bool is_overdue;

/// Whether it is time that a thread that went on and on lets others move: it may wait for them in a way that nobody
/// has recognised. Most runs are over before.
inline bool is_time_for_others(std::uint32_t step) {
  constexpr std::uint32_t patience = 1024;
  return step % patience == patience - 1;
}

/// A strategy is a function from the traces seen so far to the next prefix to force.
///
/// `choose` may run in another process than the other two, so it must not change anything that outlives the
/// run: what a run taught is read from its trace, in `learn`.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// The prefix of the next run; false when there is nothing left to run.
  virtual bool next(Prefix& prefix) = 0;
  /// Index into `at.enabled`, called at every event after the prefix.
  virtual std::size_t choose(const FreeChoice& at) = 0;
  /// From so many events on, in the next run, the thread that moved last goes on if it can, in the first of its ways:
  /// `choose` is not asked, and what others could do is neither looked at nor in the trace. It is there in any case if
  /// loops are known in which threads wait, and where it `is_time_for_others`.
  [[nodiscard]] virtual std::uint32_t goes_on_from() const { return UINT32_MAX; }
  /// Whether this thread is to move next even if it seems to wait in a loop: when it is clear that it does so depends a
  /// little on how closely the run is looked at, and somebody who follows a schedule knows that it moves.
  [[nodiscard]] virtual bool insists_on(std::uint32_t, ThreadId) const { return false; }
  virtual void learn(const Trace& trace) = 0;

  /// Whether running out of prefixes means that every behaviour has been seen.
  [[nodiscard]] virtual bool exhausts() const = 0;
  /// Why the strategy may miss behaviours of a program that can do this; empty if it does not. Asked before `learn`.
  [[nodiscard]] virtual std::string_view why_unsuitable(const Trace&) const { return {}; }
  /// What the strategy passed over although nothing is left to run, in one sentence; empty if nothing.
  [[nodiscard]] virtual std::string leaves_out() const { return {}; }
  /// Whether a run shows a behaviour that the bound keeps out. Asked first of all.
  [[nodiscard]] virtual bool is_beyond_bound(const Trace&) { return false; }
  /// How many preemptions the last run had, if the strategy knows.
  [[nodiscard]] virtual std::optional<unsigned> preemptions() const { return {}; }
  /// Whether the last run could only repeat known behaviour (a partial run).
  [[nodiscard]] virtual bool repeats() const { return false; }
  // For strategies whose work can be shared. All of this is asked between runs.

  /// All that is left to do: what is largest comes first, and there are several pieces if it can be divided. A strategy
  /// that has not begun has everything to do.
  [[nodiscard]] virtual std::vector<Piece> pieces() const { return {}; }
  /// From now on these pieces are what is left to do, the last one first.
  virtual void take_over(std::span<const Piece>) {}

  /// Why there is nothing left to run, if it is not that every behaviour was seen or that there may be no more runs.
  [[nodiscard]] virtual std::string why_finished() const { return {}; }
  /// What was covered, as JSON; empty if the strategy does not look at that.
  [[nodiscard]] virtual std::string coverage() const { return {}; }
  /// With Options::compare: how the sequences that were exercised come from each other; nullptr if the strategy derives
  /// none.
  [[nodiscard]] virtual const reachability::SequenceTree* sequences() const { return nullptr; }

  /// The size of the race table that the last run led to, if the strategy makes one: columns, and races of all of them.
  [[nodiscard]] virtual std::pair<std::uint64_t, std::uint64_t> race_table() const { return {}; }

  /// What the strategy can promise after the runs so far, in one sentence; empty if it promises nothing.
  [[nodiscard]] virtual std::string guarantee() const { return {}; }
};

/// What a bound on preemptions leaves out.
std::string beyond_preemptions(int bound);

/// How many runs there may be; 0 is no limit. Strategies that sample get some number even if the user sets none.
std::uint64_t run_limit(const Options& options, bool exhausts);

/// Whether a strategy wants to know the lines that events come from.
inline bool asks_for_lines(const Options& options) { return options.strategy == "coverage"; }

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Strategy> (*create)(const Options&);  ///< null if it needs no exploration
};

/// All strategies, in the order in which `norn strategies` lists them.
std::span<const StrategyInfo> strategies();
/// The strategy called `name`, or nullptr.
const StrategyInfo* find_strategy(std::string_view name);

std::unique_ptr<Strategy> make_exhaustive(const Options&);
std::unique_ptr<Strategy> make_dpor(const Options&);
std::unique_ptr<Strategy> make_reachability(const Options&);
std::unique_ptr<Strategy> make_t_way(const Options&);
std::unique_ptr<Strategy> make_random(const Options&);
std::unique_ptr<Strategy> make_pct(const Options&);
std::unique_ptr<Strategy> make_pos(const Options&);
std::unique_ptr<Strategy> make_coverage(const Options&);

}  // namespace norn
