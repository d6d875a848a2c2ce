#pragma once

#include "cli/program.hpp"
#include "cli/progress_line.hpp"
#include "report/report.hpp"

namespace norn {

/// How noisy a program is run (strategy noise).
struct Noise {
  std::string kind = "sleep10";  ///< yield, sleep10 or sleep100: what threads do, for at most so many milliseconds
  double probability = 0.1;      ///< that they do it, at every operation that synchronizes
};

/// Runs the program again and again on threads of the operating system, which nobody controls, with random delays.
/// Measures which synchronization pairs that covers.
Report run_with_noise(const std::string& name, const Program& program, const Options& options, const Noise& noise,
                      ProgressLine& line);

}  // namespace norn
