#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/bug.hpp"

namespace norn {

// What the events of a failing run tell about how it came to that.

/// Which of a run's events led to its failure.
struct Cause {
  std::string thread;                 ///< who was disturbed: the failing thread, or one whose update was lost
  std::size_t change = 0;             ///< the event of another thread that disturbed it
  std::optional<std::size_t> before;  ///< the last event of the thread before it was paused, or waited
  std::size_t after = 0;              ///< the one with which it went on, or that saw the change
};

/// The last change by another thread that the failing thread ran into; nothing if there was none.
std::optional<Cause> find_cause(const ReportedBug& bug);

/// Whether the thread of an event could have gone on after it when another one moved.
bool was_paused(const ReportedBug& bug, std::size_t event);

/// For every event, what the object contained afterwards, as far as the events after it tell.
std::vector<std::string> values_after(const std::vector<ReportedEvent>& events);

/// The event with which a thread took a lock that it has not given back, or nothing.
const ReportedEvent* taken_by(const ReportedBug& bug, const std::string& thread, std::uint64_t address);

}  // namespace norn
