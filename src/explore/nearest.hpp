#pragma once

#include <functional>
#include <vector>

#include "explore/explorer.hpp"

namespace norn {

/// What looking for a run that passes may cost.
struct NearestBudget {
  std::uint64_t runs = 0;
  double seconds = 0;
};

/// Looks for a run that passes and does the same as `schedule`, which fails, for as long as possible: where the two
/// part is where the failing one goes wrong, as far as runs without further preemptions tell. Empty if none is found.
std::vector<Choice> nearest_passing(Runner& runner, const std::vector<Choice>& schedule, const NearestBudget& budget);

}  // namespace norn
