#pragma once

#include <string>

#include "report/coverage.hpp"
#include "report/report.hpp"

namespace norn {

// A page to look at in a browser: one file that needs nothing else, neither the program nor a network. The parts that
// it is made of are in html/; what they show is put into it as JSON.

/// All that an exploration found.
std::string to_html(const Report& report);

/// One recorded run of a program.
std::string to_html(const std::string& program, const ReportedBug& run);

/// What a file says that is covered.
std::string to_html(const std::string& file, const CoverageRecord& record);

}  // namespace norn
