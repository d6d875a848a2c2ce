#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "report/reporter.hpp"

namespace norn {

/// Who is told what an exploration finds.
struct ReportOptions {
  std::map<std::string_view, std::string> files;  ///< by the names of the reporters; "-" is standard output
  bool annotations = false;
  bool quiet = false;
  bool no_color = false;

  [[nodiscard]] bool wants(std::string_view reporter) const;
};

void add_to(CLI::App& command, ReportOptions& options);

/// Reporters that were told that an exploration of the program begins. Throws InputError if one cannot write its file.
Reporters start_reporters(const ReportOptions& options, const std::string& program);

}  // namespace norn
