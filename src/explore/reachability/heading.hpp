#pragma once

#include <cstdint>
#include <vector>

#include "explore/reachability/race_table.hpp"
#include "explore/reachability/variant.hpp"

namespace norn::reachability {

/// The receiving events that can be changed: the columns of a sequence's race table. (Figure 7, line 2.)
std::vector<std::uint32_t> heading_of(const SynSequence& sequence);

/// What they have to do with each other.
std::vector<Column> columns_of(const SynSequence& sequence, const std::vector<std::uint32_t>& heading);

/// What a row of the table changes.
std::vector<Change> changes_of(const std::vector<std::uint32_t>& heading, const std::vector<int>& row);

}  // namespace norn::reachability
