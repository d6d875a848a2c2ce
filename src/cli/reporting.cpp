#include "cli/reporting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "cli/file_option.hpp"
#include "cli/files.hpp"
#include "support/complain.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view standard_output = "-";

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::string environment(const char* name) {
  const char* const value = getenv(name);
  return value == nullptr ? "" : value;
}

ReportedExploration exploration_of(const std::string& program) {
  std::error_code removed;
  const fs::path directory = fs::current_path(removed);
  // There the sources are checked out; whoever reads the report sees nothing of what is above.
  const fs::path workspace = environment("GITHUB_WORKSPACE");
  return {program, command_line(), directory, workspace.is_absolute() ? workspace : directory,
          std::chrono::system_clock::now()};
}

Output writer_of(const std::string& file) {
  return [file](const std::string& text) { write_file(file, text); };
}

/// Where a reporter without a file writes to; nothing if it is not wanted.
Output output_of(std::string_view reporter, const ReportOptions& options, bool output_is_taken) {
  if (reporter == "annotations") {
    const bool wanted = options.annotations || (!options.quiet && environment("GITHUB_ACTIONS") == "true");
    if (!wanted) return {};
    // Commands are looked for in both streams, and other reports must stay what they are.
    if (output_is_taken) return [](const std::string& text) { complain("{}", text); };
  } else if (options.quiet || output_is_taken) {
    return {};
  }
  return writer_of(std::string(standard_output));
}

}  // namespace

bool ReportOptions::wants(std::string_view reporter) const {
  const auto file = files.find(reporter);
  return file != files.end() && !file->second.empty();
}

void add_to(CLI::App& command, ReportOptions& options) {
  for (const ReporterInfo& reporter : reporters())
    if (!reporter.help.empty())
      add_file_option(command, "--" + std::string(reporter.name), options.files[reporter.name],
                      std::string(reporter.help));
  command.add_flag("--annotations", options.annotations,
                   "Print bugs as annotations of GitHub Actions, as with GITHUB_ACTIONS=true in the environment");
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
  command.add_flag("--no-color", options.no_color, "No colours even on a terminal");
}

Reporters start_reporters(const ReportOptions& options, const std::string& program) {
  const auto to_output = std::count_if(options.files.begin(), options.files.end(),
                                       [](auto& file) { return file.second == standard_output; });
  if (to_output > 1) throw InputError("only one report can go to standard output");
  for (const auto& [name, file] : options.files) require_writable(file);
  const TextStyle style = style_of_output(options.no_color);
  Reporters list;
  for (const ReporterInfo& reporter : reporters()) {
    if (options.wants(reporter.name)) list.add(reporter.make(writer_of(options.files.at(reporter.name)), style));
    if (!reporter.help.empty()) continue;
    if (Output output = output_of(reporter.name, options, to_output != 0))
      list.add(reporter.make(std::move(output), style));
  }
  list.started(exploration_of(program));
  return list;
}

}  // namespace norn
