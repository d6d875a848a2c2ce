#pragma once

#include <string>
#include <vector>

#include "report/bug.hpp"
#include "report/rows.hpp"

namespace norn {

/// A lock that a thread has after a line of a timeline.
struct TimelineLock {
  std::string object;
  std::size_t row = 0;  ///< where it took it
};

/// A line of a timeline: one of the diagram, or something that a thread did in the same breath as the event before.
struct TimelineRow : Row {
  std::string kind;  ///< "event", "link", "pause", "access", "wait" or "failure"
  std::vector<TimelineLock> locks = {};
  std::string starts = {};  ///< the thread that it starts
};

/// What happened because of what.
struct TimelineArrow {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string kind;  ///< "create", "join", "lock", "wake", "value", "message", "held" or "race"
};

/// A run as a page shows it: nothing is left out, and what threads did to each other is drawn.
struct Timeline {
  std::vector<TimelineRow> rows;
  std::vector<TimelineArrow> arrows;
};

Timeline timeline_of(const ReportedBug& bug);

}  // namespace norn
