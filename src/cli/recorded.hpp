#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/trace_file.hpp"

namespace norn {

/// The exit code of a command whose program did not do again what was recorded.
inline constexpr int exit_diverged = 3;

/// A recorded run that was run again.
struct Replayed {
  TraceFile trace;
  nlohmann::json sent;     ///< what the runtime says of it
  std::string kind;        ///< how it ended
  std::string difference;  ///< from the recording, in words; empty if there is none
};

/// How a recorded run is run again.
struct ReplayManner {
  std::string threads = {};  ///< empty: as it was recorded
  bool details = false;      ///< with everything that a report says of a bug, and without the program's output
};

/// Throws InputError if there is no such trace or its program is gone.
Replayed replay_recorded(const std::string& file, const ReplayManner& manner);

}  // namespace norn
