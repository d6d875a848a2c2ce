#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/report.hpp"

namespace norn {

/// How an exploration gets on.
struct ReportedProgress {
  std::uint64_t executions = 0;
  std::uint64_t partial_runs = 0;
  std::int64_t behaviours = 0;  ///< -1: too many to count
  std::uint64_t bugs = 0;
  std::uint64_t frontier = 0;                ///< parts that are left to explore; 0: nobody knows
  std::optional<ReportedEstimate> estimate;  ///< of the whole
  double rate = 0;                           ///< runs a second; 0: not known yet
  std::uint64_t minimises = 0;               ///< the bug whose run is made simpler; 0: the exploration goes on
};

/// One line of at most so many columns, without a line break. What matters least is left out first.
std::string progress_text(const ReportedProgress& progress, std::size_t width);

}  // namespace norn
