#pragma once

#include <string>

#include "cli/program.hpp"
#include "report/report.hpp"
#include "report/trace_file.hpp"

namespace norn {

/// A run of the program as a file for `norn replay`.
TraceFile trace_of(const ReportedBug& run, const Program& program, const Options& explored);

/// Puts the traces of all bugs into a directory, as STEM-1.trace, STEM-2.trace and so on. Those of an earlier
/// exploration of the program go away; those of other programs stay, and their numbers are left out. A full disk costs
/// the traces, not the report.
void write_traces(Report& report, const Program& program, const Options& explored, const std::string& directory);

/// Where the checkpoint of an exploration goes that is interrupted: STEM.checkpoint, or STEM-2.checkpoint if that is of
/// another program, and so on.
std::string usual_checkpoint(const Program& program, const std::string& directory);

}  // namespace norn
