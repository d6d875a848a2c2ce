#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace norn {

// What every report for a person says, however it is laid out.

/// A number with two digits, which are more than an estimate has: "74", "1200", "3.1e+08".
std::string roughly(double number);

/// A word that a shell takes for one word, and a terminal for nothing else.
std::string for_a_shell(const std::string& word);

/// "memory (use after free)".
std::string kind_text(const ReportedBug& bug);

/// For copying into a shell.
std::string replay_command(const ReportedBug& bug);

/// From what the run was minimised; empty if it is as it was found.
std::string simplified(const ReportedBug& bug);

/// "1 bug found in 7 executions", "every one of 7 executions is correct".
std::string finding(const Report& report);

/// "queue.cpp: 1 bug found in 7 executions", without a line break at its end.
std::string headline(const Report& report, const TextStyle& style);

/// "dpor"; "auto (dpor)" if the strategy that was asked for left the work to another.
std::string strategy_text(const Report& report);

/// What a reader of the verdict has to know: why it is not complete, what it depends on.
std::vector<std::string> remarks(const Report& report);

}  // namespace norn
