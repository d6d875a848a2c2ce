#pragma once

#include "report/report.hpp"

namespace norn {

/// The same report with nothing in it that a terminal could take for a command, and without endless names. Programs
/// and their files may be called anything.
Report printable(Report report);

/// The same for a part of one.
ReportedBug printable(ReportedBug bug);
ReportedWarning printable(ReportedWarning warning);

}  // namespace norn
