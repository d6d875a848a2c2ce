#pragma once

#include <fstream>
#include <string>

/// The most memory that the process had since the last time, in megabytes.
inline double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  double kilobytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kilobytes;
  std::ofstream("/proc/self/clear_refs") << 5;
  return kilobytes / 1024;
}
