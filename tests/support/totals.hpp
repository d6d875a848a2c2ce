#pragma once

#include "norn_check.hpp"

namespace norn::test {

/// The same as `check` without the list of all runs: where there are many, writing and reading it takes longer than
/// exploring them.
Checked check_totals(const std::string& program, const std::vector<std::string>& options = {},
                     const std::vector<std::string>& arguments = {});

}  // namespace norn::test
