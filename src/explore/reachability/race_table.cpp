#include "explore/reachability/race_table.hpp"

namespace norn::reachability {
namespace {

constexpr std::size_t no_column = SIZE_MAX;

}  // namespace

/// Numbers in a system in which every digit has its own base; one that is removed is no digit.
bool RaceTable::next() {
  std::size_t changed = increment(columns_.size());
  // If two changes contradict each other, so they do in all rows that begin like this one.
  while (changed != no_column && !is_valid(changed)) changed = increment(changed + 1);
  return changed != no_column;
}

/// Increments the last column before `end` that can be, and returns it. All columns after it begin anew.
std::size_t RaceTable::increment(std::size_t end) {
  std::size_t i = end;
  do {
    if (i-- == 0) return no_column;
  } while (row_[i] == -1 || row_[i] == most(i));
  ++row_[i];
  for (std::size_t j = i + 1; j < columns_.size(); ++j) {
    row_[j] = 0;
    if (is_removed(j)) row_[j] = -1;
  }
  return i;
}

std::pair<double, double> RaceTable::place() const {
  double before = 0;
  double row = 1;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (row_[i] == -1) continue;
    row /= most(i) + 1;
    before += row * row_[i];
  }
  return {before, row};
}

/// Whether the existence of a receiving event may depend on one that is changed.
bool RaceTable::is_removed(std::size_t i) const {
  for (std::size_t j = 0; j < i; ++j)
    if (row_[j] > 0 && columns_[i].structure.has(j)) return true;
  return false;
}

/// Whether the new partner of column `i` and those before it all exist. The paper looks at that of column `i` only, but
/// it may be a new partner further left that is gone because of what is changed in column `i`.
bool RaceTable::is_valid(std::size_t i) const {
  for (std::size_t j = 0; j <= i; ++j) {
    if (row_[j] <= 0) continue;
    if (new_partner(i).has(j) || new_partner(j).has(i)) return false;
  }
  return true;
}

}  // namespace norn::reachability
