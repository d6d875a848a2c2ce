#pragma once

#include <string>

#include "report/bug.hpp"

namespace norn {

/// What a program says of itself can be as long as it likes; in a sentence it is cut.
inline constexpr std::size_t longest_message = 200;

/// Two sentences that say what happened and how it came to that.
std::string summarize(const ReportedBug& bug);

/// The same for a deadlock or a livelock.
std::string summarize_waiting(const ReportedBug& bug);
/// For a data race or a memory error.
std::string summarize_access(const ReportedBug& bug);

std::string summarize(const ReportedWarning& warning);

// Parts of sentences.

/// " at queue.cpp:41"; nothing if the place is not known.
std::string at(const Place& place);
/// "between lines 30 and 31", "in line 30", "between a.cpp:30 and b.cpp:12"; the lines are those of `file` if nothing
/// else is said.
std::string between(const Place& before, const Place& after, const std::string& file);
std::string capitalized(std::string text);
/// "reads 4 bytes" of "use after free: it reads 4 bytes".
std::string predicate(const std::string& message);

}  // namespace norn
