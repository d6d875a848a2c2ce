#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "support/source_file.hpp"

namespace norn {

/// A recorded run, as text for people and as a schedule for `norn replay`.
struct TraceFile {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  Options options;
  std::string kind;
  std::string message;
  std::string thread;
  std::string location;
  std::vector<ReportedEvent> events;
  std::vector<SourceFile> sources = {};  ///< that the program was compiled from; none if it was given as an executable
  std::vector<std::filesystem::path> given = {};  ///< what the user calls the program: sources, or an executable

  /// One line an event, `thread operation alternative`, as the runtime wants it.
  [[nodiscard]] std::string schedule() const;
};

void write_trace(const std::filesystem::path& file, const TraceFile& trace);
/// Throws InputError that says what is wrong, and in which line.
TraceFile read_trace(const std::filesystem::path& file);

}  // namespace norn
