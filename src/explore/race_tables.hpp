#pragma once

#include <algorithm>
#include <cstdint>

namespace norn {

/// How large the race tables of an exploration were that had columns. (Lei, Carver, Kacker and Kung, *A combinatorial
/// testing strategy for concurrent programs*, table IV.)
struct RaceTables {
  std::uint64_t count = 0;
  std::uint64_t columns = 0;  ///< receiving events with races, of all tables together
  std::uint64_t most_columns = 0;
  std::uint64_t least_columns = 0;
  double races = 0;  ///< of a column, on average; the sum over all tables
  double most_races = 0;
  double least_races = 0;

  /// A table with so many columns, and so many races in all of them.
  void add(std::uint64_t its_columns, std::uint64_t its_races) {
    if (its_columns == 0) return;
    const double average = static_cast<double>(its_races) / static_cast<double>(its_columns);
    merge({1, its_columns, its_columns, its_columns, average, average, average});
  }

  void merge(const RaceTables& other) {
    if (other.count == 0) return;
    const bool is_first = count == 0;
    count += other.count;
    columns += other.columns;
    most_columns = std::max(most_columns, other.most_columns);
    least_columns = is_first ? other.least_columns : std::min(least_columns, other.least_columns);
    races += other.races;
    most_races = std::max(most_races, other.most_races);
    least_races = is_first ? other.least_races : std::min(least_races, other.least_races);
  }

  template <typename Archive>
  void archive(Archive& parts) {
    parts(count, columns, most_columns, least_columns, races, most_races, least_races);
  }
};

}  // namespace norn
