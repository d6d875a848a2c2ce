#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace random_programs {

struct ProcessResult {
  bool started = false;
  bool timed_out = false;
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string output;  // stdout
};

/// Runs a command to its end, or kills it with all its children when the time is up. stderr goes to `error_file`.
ProcessResult run_process(const std::vector<std::string>& command, std::chrono::milliseconds time_limit,
                          const std::string& error_file = "/dev/null");

}  // namespace random_programs
