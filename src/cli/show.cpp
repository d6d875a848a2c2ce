#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/file_option.hpp"
#include "cli/files.hpp"
#include "cli/recorded.hpp"
#include "cli/show_coverage.hpp"
#include "report/html.hpp"
#include "report/report.hpp"
#include "support/complain.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

struct ShowOptions {
  std::string trace;
  std::string html_file;
  bool no_color = false;
  ShowCoverageOptions coverage;
};

constexpr int shown = 0;

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

int show_trace(const ShowOptions& options) {
  require_writable(options.html_file);
  const Replayed run = replay_recorded(options.trace, {.details = true});
  if (!run.difference.empty()) {
    complain("norn: the replay {}\n", run.difference);
    return exit_diverged;
  }
  const Report report = make_report(run.trace.program.filename().string(), run.sent);
  ReportedBug bug = recorded_bug(report, run);
  bug.trace = options.trace;
  if (options.html_file != "-") write_file("-", to_text(bug, style_of_output(options.no_color)));
  if (!options.html_file.empty()) write_file(options.html_file, to_html(report.program, bug));
  return shown;
}

int show(ShowOptions& options) {
  ShowCoverageOptions& coverage = options.coverage;
  if (options.trace.empty() == coverage.file.empty())
    throw InputError("norn show needs a trace or --coverage FILE, and not both");
  if (!options.trace.empty() && !(coverage.baseline.empty() && coverage.changed_file.empty()))
    throw InputError("--baseline and --changed need --coverage FILE");
  if (!options.trace.empty()) return show_trace(options);
  coverage.html_file = options.html_file;
  coverage.no_color = options.no_color;
  return show_coverage(coverage);
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("show", "Draw a recorded run, or show what is not covered, as text or as a page");
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("trace", options->trace, "A trace that norn check wrote");
  add_file_option(*command, "--coverage", options->coverage.file, "A file that norn check --coverage-file wrote");
  add_file_option(*command, "--baseline", options->coverage.baseline,
                  "Another such file, from before: fail if less is covered now");
  add_file_option(*command, "--changed", options->coverage.changed_file,
                  "A diff (- is standard input): look only at the lines that it changes");
  add_file_option(*command, "--html", options->html_file,
                  "Write a page to this file, for a browser (- is standard output)");
  command->add_flag("--no-color", options->no_color, "No colours even on a terminal");
  command->footer(
      "The program of a trace is run again. Exit codes: 0 shown, 1 less is covered than in the baseline, 3 the run "
      "diverged, 2 usage.");
  command->callback([options, &exit_code] { exit_code = show(*options); });
}

}  // namespace norn
