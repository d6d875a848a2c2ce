#pragma once

#include <string>

#include "report/bug.hpp"
#include "report/style.hpp"

namespace norn {

// The facts behind the summary of a bug, with all call stacks. Every section begins with an empty line.

/// The two accesses of a data race, or the access, the allocation and the release of a block.
std::string access_details(const ReportedBug& bug, const TextStyle& style);

/// Who holds what since where, and who waits where.
std::string waiting_details(const ReportedBug& bug, const TextStyle& style);

/// Where the failing thread was, with the lines of the source around it.
std::string failure_details(const ReportedBug& bug, const TextStyle& style);

std::string warning_details(const ReportedWarning& warning, const TextStyle& style);

/// "#1 is on the stack of main."
std::string legend_text(const std::vector<std::pair<std::string, std::string>>& legend, const TextStyle& style);

/// The lines of the source around a place; nothing if they cannot be read.
std::string source_excerpt(const Place& place, int context, const TextStyle& style, std::size_t indent);

}  // namespace norn
