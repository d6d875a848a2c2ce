#pragma once

// Reports as the runtime and the symbolizer would make them, one for everything that there is to show.

#include <map>
#include <string>

#include "report/report.hpp"

namespace norn::test {

/// By the names of the approved texts.
std::map<std::string, Report> scenarios();

/// A report with one bug.
Report report_of(ReportedBug bug);

/// A data race between two threads on an object.
ReportedBug race_on(const std::string& object, const std::string& what);

/// `threads` threads that wait for each other in a ring.
ReportedBug ring(std::size_t threads);

/// A failed assertion after so many events.
ReportedBug long_run(std::size_t events);

/// A run in which every name wants to harm the terminal.
ReportedBug hostile();

}  // namespace norn::test
