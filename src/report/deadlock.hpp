#pragma once

#include <string>
#include <vector>

#include "report/bug.hpp"

namespace norn {

/// Why the threads of a deadlock cannot go on.
struct Deadlock {
  /// Each waits for the next one, the last for the first; empty if the threads do not wait for each other.
  std::vector<const ReportedWait*> cycle;
  /// Without a cycle: the threads that wait for something that nobody is left to do.
  std::vector<const ReportedWait*> roots;
  /// The others, which only wait for these.
  std::vector<const ReportedWait*> followers;
};

Deadlock analyse_deadlock(const ReportedBug& bug);

/// The thread has not ended when the run ends.
bool still_waits(const ReportedBug& bug, const std::string& thread);

/// Where a thread took a lock that it holds when the run ends, or began what is done only once; an empty place if that
/// is not known.
Place held_since(const ReportedBug& bug, const std::string& thread, std::uint64_t address);

/// The threads that a waiting one waits for.
std::vector<std::string> holders(const ReportedBug& bug, const ReportedWait& wait);

}  // namespace norn
