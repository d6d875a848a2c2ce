#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "program.hpp"

namespace random_races {

/// Thread times `max_operations` plus number of the operation.
using Site = unsigned;
using SitePairs = std::set<std::pair<Site, Site>>;

/// Which operations race with which in some interleaving: by running all of them and looking at all pairs of accesses
/// in the full happens-before graph of each. Nothing if there are more interleavings than `limit`.
/// A reference that is wrong on purpose believes that relaxed operations order what is around them.
std::optional<SitePairs> racing_sites(const Program& program, std::uint64_t limit, bool wrong = false);

}  // namespace random_races
