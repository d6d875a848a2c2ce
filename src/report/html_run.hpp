#pragma once

#include <nlohmann/json.hpp>

#include "report/bug.hpp"
#include "report/html_tables.hpp"

namespace norn {

/// A run as the page draws it: threads, objects, lines and arrows.
nlohmann::json html_run(const ReportedBug& run, HtmlTables& tables);

/// Where two runs part: the lines of each that differ first, and a sentence. Null if they do not.
nlohmann::json html_difference(const ReportedBug& failing, const ReportedBug& passing);

}  // namespace norn
