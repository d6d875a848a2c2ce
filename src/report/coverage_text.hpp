#pragma once

#include <functional>
#include <string>

#include "report/changed_lines.hpp"
#include "report/coverage.hpp"
#include "report/style.hpp"

namespace norn {

/// How much of something is covered.
struct Share {
  std::uint64_t covered = 0;
  std::uint64_t all = 0;

  [[nodiscard]] bool is_less_than(const Share& other) const { return covered * other.all < other.covered * all; }
};

/// Of the pairs that `concerns` holds for.
Share share_of(const CoverageRecord& record, const std::function<bool(const LinePair&)>& concerns);

/// Pairs that were covered before and are not now.
std::vector<LinePair> lost_pairs(const CoverageRecord& before, const CoverageRecord& now);

/// "5 of 8 sync pairs are covered"
std::string to_text(const Share& share, const std::string& criterion);

/// What was covered, in all.
std::string coverage_counts(const CoverageRecord& record, const TextStyle& style);

/// One after the other, each with its two lines as they are in the source.
std::string list_pairs(const std::vector<LinePair>& pairs, const TextStyle& style);

}  // namespace norn
