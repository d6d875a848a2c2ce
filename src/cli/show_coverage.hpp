#pragma once

#include <string>

namespace norn {

/// What `norn show --coverage` is told.
struct ShowCoverageOptions {
  std::string file;
  std::string baseline;      ///< what an earlier exploration covered; none if empty
  std::string changed_file;  ///< a diff; only pairs on changed lines count
  std::string html_file;
  bool no_color = false;
};

/// The exit code: 1 if less is covered than in the baseline.
int show_coverage(const ShowCoverageOptions& options);

}  // namespace norn
