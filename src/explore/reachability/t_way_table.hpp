#pragma once

#include <vector>

#include "explore/reachability/race_table.hpp"

namespace norn::reachability {

/// Race variants that cover all valid t-way combinations of race outcome changes (figure 4 of Lei, Carver, Kacker and
/// Kung, *A combinatorial testing strategy for concurrent programs*), as rows like those of RaceTable, each at most
/// once.
///
/// A combination gives values to t columns and is valid if these t values alone satisfy the rules of a race table: at
/// least one of them is a change, and a column is removed if and only if it depends on one of the changes among them.
/// So it is just what a variant shows of these columns that changes nothing else. If there are fewer than t columns,
/// the rows are all there are.
std::vector<std::vector<int>> t_way_rows(const std::vector<Column>& columns, unsigned t);

}  // namespace norn::reachability
