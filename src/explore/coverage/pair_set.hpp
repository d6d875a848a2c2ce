#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/event.hpp"

namespace norn::coverage {

/// What a coverage criterion asks for: that something happens at one line of the source, and then at another.
using Pair = std::pair<Location, Location>;

/// Pairs as bits, a row for every first line: no cost depends on how many there are.
class PairSet {
 public:
  [[nodiscard]] bool contains(const Pair& pair) const {
    if (pair.first >= rows_.size()) return false;
    const Row& row = rows_[pair.first];
    const std::size_t word = pair.second / bits;
    return word < row.size() && (row[word] >> pair.second % bits & 1) != 0;
  }

  /// True if that changed something.
  bool set(const Pair& pair, bool contained) {
    if (contains(pair) == contained) return false;
    if (rows_.size() <= pair.first) rows_.resize(pair.first + std::size_t{1});
    Row& row = rows_[pair.first];
    if (row.size() <= pair.second / bits) row.resize(pair.second / bits + 1);
    row[pair.second / bits] ^= std::uint64_t{1} << pair.second % bits;
    return true;
  }

 private:
  static constexpr unsigned bits = 64;
  using Row = std::vector<std::uint64_t>;
  std::vector<Row> rows_;
};

}  // namespace norn::coverage
