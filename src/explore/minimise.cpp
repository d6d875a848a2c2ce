// First the schedule at hand is simplified greedily (blocks.cpp). This takes few runs even where runs are long, but may
// end with a schedule that is not the simplest. Then all schedules with 0, 1, 2, ... preemptions are tried
// (bounded.cpp) until one shows the bug, which proves that it needs so many, if the budget lasts.

#include "explore/minimise.hpp"

#include <algorithm>
#include <utility>

#include "explore/blocks.hpp"
#include "explore/bounded.hpp"
#include "explore/preemption.hpp"

namespace norn {
namespace {

/// Seconds for one bug, whatever the number of runs, so that slow runs get somewhere too.
constexpr double least_seconds = 2;
/// Seconds for one bug grow with the number of runs, so that one option raises both.
constexpr double seconds_per_run = 1e-4;
/// Seconds for all bugs together, as a multiple of those for one.
constexpr double bugs_worth = 5;

class Minimiser {
 public:
  Minimiser(Runner& runner, const ShowsBug& shows_bug, const MinimisationBudget& budget)
      : runner_(runner), shows_bug_(shows_bug), budget_(budget) {}

  Minimised minimise(const std::vector<Choice>& schedule) {
    if (spent() || !improves(schedule, blocks_of(schedule))) return std::move(best_);
    best_.from_preemptions = best_.preemptions;
    best_.from_events = best_.schedule.size();
    simplify();
    best_.complete = true;
    for (unsigned bound = 0; bound <= best_.preemptions && !best_.schedule.empty(); ++bound)
      if (!search(bound) && bound < best_.preemptions) best_.complete = false;
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool spent() const {
    if (stop_requested || best_.runs >= budget_.runs) return true;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() >= budget_.seconds;
  }

  const Trace& run(const Prefix& prefix, Strategy& strategy) {
    ++best_.runs;
    return runner_.run(prefix, strategy);
  }

  /// Follows the blocks; if that shows the bug in a simpler run than the best one, the best one is now this.
  bool improves(std::span<const Choice> schedule, const Blocks& blocks) {
    FollowBlocks follow(schedule, blocks);
    follow.next(prefix_);
    const Trace& trace = run(prefix_, follow);
    if (!shows_bug_(trace)) return false;
    const std::pair cost(preemptions(trace), trace.events.size());
    if (best_.reproduced && cost >= std::pair(best_.preemptions, best_.schedule.size())) return false;
    best_.reproduced = true;
    best_.outcome = *trace.outcome;
    best_.preemptions = cost.first;
    copy_schedule(trace, best_.schedule);
    return true;
  }

  static void copy_schedule(const Trace& trace, std::vector<Choice>& schedule) {
    schedule.clear();
    for (const Event& event : trace.events) schedule.push_back({event.thread, event.alternative});
  }

  /// Edits the best schedule until no edit makes it better.
  void simplify() {
    while (simplify_once()) {
    }
  }

  /// The edits of many blocks come first, because they remove what the bug does not need in few runs.
  bool simplify_once() {
    bool better = false;
    Blocks blocks = blocks_of(best_.schedule);
    for (std::size_t count = blocks.size(); count > 0; count /= 2)
      for (std::size_t first = 0; first < blocks.size(); first += std::max<std::size_t>(count / 2, 1))
        for (const Edit edit : edits) {
          if (spent()) return false;
          const Blocks variant = edited(blocks, edit, first, std::min(count, blocks.size() - first));
          if (variant == blocks || !improves(best_.schedule, variant)) continue;
          better = true;
          blocks = blocks_of(best_.schedule);
          if (first >= blocks.size()) break;
        }
    return better;
  }

  /// Tries every schedule with at most `bound` preemptions, none of which with fewer shows the bug; from the first one
  /// that does on, those with fewer events. False if something was left out.
  bool search(unsigned bound) {
    BoundedSearch search(bound);
    bool whole = true;
    Prefix prefix;
    for (;;) {
      if (bound >= best_.preemptions) search.limit_events(best_.schedule.size() - 1);
      if (!search.next(prefix)) return whole;
      if (spent()) return false;
      const Trace& trace = run(prefix, search);
      search.learn(trace);
      if (is_cut(trace.end())) whole = false;
      if (!shows_bug_(trace)) continue;
      copy_schedule(trace, candidate_);
      if (!spent() && improves(candidate_, blocks_of(candidate_))) simplify();
    }
  }

  Runner& runner_;
  const ShowsBug& shows_bug_;
  const MinimisationBudget budget_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Minimised best_;
  Prefix prefix_;
  std::vector<Choice> candidate_;
};

}  // namespace

MinimisationBudget minimisation_budget(const Options& options, std::size_t bugs, double seconds) {
  const double for_one = std::max(least_seconds, static_cast<double>(options.minimise) * seconds_per_run);
  return {options.minimise, std::min(for_one, (bugs_worth * for_one - seconds) / static_cast<double>(bugs))};
}

Minimised minimise(Runner& runner, const std::vector<Choice>& schedule, const ShowsBug& shows_bug,
                   const MinimisationBudget& budget) {
  return Minimiser(runner, shows_bug, budget).minimise(schedule);
}

}  // namespace norn
