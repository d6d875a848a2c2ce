#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/recorded.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace norn {
namespace {

struct ShowOptions {
  std::string trace;
  std::string html_file;
  bool no_color = false;
};

constexpr int shown = 0;
constexpr int diverged = 3;

/// The runtime describes how the run ended and each of its races; the recording is about one of them.
ReportedBug recorded_bug(const Report& report, const Replayed& run) {
  const auto is_it = [&run](const ReportedBug& bug) {
    return bug.kind == run.kind && (bug.kind != "data-race" || bug.message == run.trace.message);
  };
  auto found = std::find_if(report.bugs.begin(), report.bugs.end(), is_it);
  if (found == report.bugs.end())
    found = std::find_if(report.bugs.begin(), report.bugs.end(), [&](auto& bug) { return bug.kind == run.kind; });
  return found == report.bugs.end() ? report.bugs.front() : *found;
}

int show(const ShowOptions& options) {
  require_writable(options.html_file);
  const Replayed run = replay_recorded(options.trace, {.details = true});
  if (!run.difference.empty()) {
    fmt::print(stderr, "norn: the replay {}\n", run.difference);
    return diverged;
  }
  const Report report = make_report(run.trace.program.filename().string(), run.sent);
  ReportedBug bug = recorded_bug(report, run);
  bug.trace = options.trace;
  if (options.html_file != "-") std::cout << to_text(bug, style_of_output(options.no_color)) << std::flush;
  if (!options.html_file.empty()) write_file(options.html_file, to_html(report.program, bug));
  return shown;
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("show", "Draw a recorded run, as text or as a page for a browser");
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("trace", options->trace, "A trace that norn check wrote")->required();
  command->add_option("--html", options->html_file, "Write a page to this file, for a browser (- is standard output)")
      ->type_name("FILE");
  command->add_flag("--no-color", options->no_color, "No colours even on a terminal");
  command->footer("The program is run again. Exit codes: 0 shown, 3 the run diverged, 2 usage.");
  command->callback([options, &exit_code] { exit_code = show(*options); });
}

}  // namespace norn
