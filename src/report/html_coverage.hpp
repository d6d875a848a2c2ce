#pragma once

#include <nlohmann/json.hpp>

#include "report/coverage.hpp"

namespace norn {

/// What was covered, as the page shows it: the counts, the source around the lines of all pairs, and the pairs, by the
/// numbers of their files and lines.
nlohmann::json html_coverage(const CoverageRecord& record);

}  // namespace norn
