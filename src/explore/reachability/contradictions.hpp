#pragma once

#include <vector>

#include "explore/reachability/variant.hpp"

namespace norn::reachability {

/// A row of a race table as variants. Most rows are one. But there may be none, because two changes contradict each
/// other: they want the same event in two places, or loads are to see states that no order of events can show. And if a
/// change contradicts something that is not changed, this must get a new partner that is not known yet: there is one
/// variant for each way to make the contradiction go away.
std::vector<Changes> without_contradictions(const SynSequence& sequence, std::vector<Change> row);

}  // namespace norn::reachability
