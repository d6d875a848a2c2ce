#pragma once

#include <string>
#include <vector>

#include "report/bug.hpp"

namespace norn {

/// What one thread does at one time: a line of the diagram of a run.
struct Row {
  std::string thread;  ///< empty if the line is about the run as a whole
  std::string text;
  Place place;
  bool marked = false;  ///< a part of the bug itself
  bool key = false;     ///< shown even if the lines around it are left out
  bool is_event = false;

  // What a page shows besides. The pointers lead into the bug.
  std::size_t step = 0;  ///< how many events came before
  std::string object = {};
  std::uint64_t address = 0;
  const std::vector<Place>* stack = nullptr;
  const ReportedAccess* access = nullptr;
  const ReportedWait* wait = nullptr;
  bool is_failure = false;       ///< what the bug says of itself
  std::size_t links = SIZE_MAX;  ///< how many links came before, of those with no event in between
};

/// The whole run, from the top to the bug.
std::vector<Row> rows_of(const ReportedBug& bug);

/// The last lines, and those before that matter, with a word on what is left out.
std::vector<Row> without_the_usual(const std::vector<Row>& rows);

/// The file that all lines are in; empty if there are several.
std::string only_file(const std::vector<Row>& rows);

}  // namespace norn
