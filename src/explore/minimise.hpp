#pragma once

#include <functional>

#include "explore/explorer.hpp"

namespace norn {

/// What minimising one bug may cost.
struct MinimisationBudget {
  std::uint64_t runs = 0;
  double seconds = 0;
};

/// The share of the next of `bugs` bugs that are still to be minimised, when those before took `seconds` in all.
MinimisationBudget minimisation_budget(const Options& options, std::size_t bugs, double seconds);

/// The best run known that shows a bug: the one with the fewest preemptions, and of those one with the fewest events.
struct Minimised {
  bool reproduced = false;  ///< if not, only `runs` means anything
  std::vector<Choice> schedule;
  Outcome outcome;
  unsigned preemptions = 0;
  unsigned from_preemptions = 0;
  std::size_t from_events = 0;
  std::uint64_t runs = 0;  ///< how many it took
  bool complete = false;   ///< every schedule with fewer preemptions was tried
};

/// Whether a run shows the bug that is being minimised.
using ShowsBug = std::function<bool(const Trace&)>;

/// Looks for a simpler run than `schedule` that shows the same bug, until there is none or the budget is spent. The
/// runner is never asked whether to begin anew: what is a choice stays as it was when the schedule was recorded.
Minimised minimise(Runner& runner, const std::vector<Choice>& schedule, const ShowsBug& shows_bug,
                   const MinimisationBudget& budget);

}  // namespace norn
