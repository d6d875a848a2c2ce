#pragma once

// Whether a t-way table covers what it should, and random columns.

#include <vector>

#include "explore/reachability/t_way_coverage.hpp"
#include "support/random.hpp"

namespace norn::test {

using reachability::Column;
using reachability::Columns;
using namespace reachability::t_way;

/// Random columns that could be those of a sequence: what happened before an event includes all that happened before
/// that, and a sending event that an event could be synchronized with did not happen after it.
class RandomStructure {
 public:
  explicit RandomStructure(std::uint64_t seed) : random_(seed) {}

  /// Up to so many columns, with up to so many events in each race set.
  std::vector<Column> up_to(std::size_t columns, std::size_t races) {
    return exactly(1 + random_.below(columns), races);
  }

  std::vector<Column> exactly(std::size_t count, std::size_t most_races) {
    columns_.assign(count, Column{Columns(count), {}});
    threads_ = 1 + random_.below(count);
    links_ = random_.below(4);
    std::vector<std::size_t> last(threads_, count);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t& before = last[random_.below(threads_)];
      if (before != count) add_past(columns_[i].structure, before);
      if (i > 0 && random_.below(8) < links_) add_past(columns_[i].structure, random_.below(i));
      before = i;
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t races = 1 + random_.below(most_races); races != 0; --races)
        columns_[i].race_set.push_back(sending_event(i));
    return columns_;
  }

 private:
  /// The column, and what happened before it.
  void add_past(Columns& to, std::size_t column) const {
    for (std::size_t i = 0; i < column; ++i)
      if (columns_[column].structure.has(i)) to.add(i);
    to.add(column);
  }

  Columns sending_event(std::size_t receiving) {
    Columns structure(columns_.size());
    for (std::uint64_t tries = random_.below(2 + links_); tries != 0; --tries) {
      const std::size_t column = random_.below(columns_.size());
      if (column != receiving && !columns_[column].structure.has(receiving)) add_past(structure, column);
    }
    return structure;
  }

  SplitMix64 random_;
  std::vector<Column> columns_;
  std::uint64_t threads_ = 1;
  std::uint64_t links_ = 0;  ///< how often threads learn from each other
};

}  // namespace norn::test
