#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "report/columns.hpp"
#include "report/details.hpp"
#include "report/printable.hpp"
#include "report/sentences.hpp"
#include "report/summary.hpp"

namespace norn {
namespace {

constexpr std::size_t output_lines_shown = 20;
constexpr std::size_t longest_output_line = 400;

std::string describe_run(const ReportedBug& bug, const TextStyle& style) {
  std::string heading = fmt::format("The run{} ({}, {}", bug.kind == "finished" ? "" : " that shows it",
                                    plural(bug.events.size(), "event"), plural(bug.preemptions, "preemption"));
  const std::vector<Row> rows = without_the_usual(rows_of(bug));
  const std::string file = only_file(rows);
  heading += file.empty() ? "):" : fmt::format("), all of it in {}:", file);
  return "\n" + wrap(heading, style.width, 2) + "\n" + diagram(rows, style, 4) +
         (simplified(bug).empty() ? "" : "\n" + wrap(simplified(bug), style.width, 2));
}

std::string output(const ReportedBug& bug, const TextStyle& style) {
  if (bug.output.empty()) return {};
  std::string text = "\n" + wrap("What the program printed in this run:", style.width, 2);
  std::istringstream lines(bug.output);
  std::string line;
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    if (i == output_lines_shown) return text + "    ...\n";
    const std::string shown = wrap(shorten(printable(line), longest_output_line), style.width - 6, 0);
    std::istringstream parts(shown.empty() ? "\n" : shown);
    for (std::string part; std::getline(parts, part);) text += "    | " + part + "\n";
  }
  return text;
}

using Legend = std::vector<std::pair<std::string, std::string>>;

/// Events that are left out leave no names behind.
Legend mentioned(const Legend& legend, const std::string& text) {
  Legend result;
  for (const auto& [name, what] : legend) {
    // "#1" is not in "#12", and "main" not in "main/1".
    const auto ends = [&text, size = name.size()](std::size_t at) {
      const char next = at + size == text.size() ? ' ' : text[at + size];
      return std::isdigit(static_cast<unsigned char>(next)) == 0 && next != '/';
    };
    std::size_t at = text.find(name);
    while (at != std::string::npos && !ends(at)) at = text.find(name, at + 1);
    if (at != std::string::npos) result.emplace_back(name, what);
  }
  return result;
}

/// Objects and, after them, threads.
Legend legend_of(const ReportedBug& bug) {
  Legend legend = bug.legend;
  for (const auto& [thread, name] : bug.own_names) legend.emplace_back(thread, "named " + name);
  return legend;
}

/// Everything but the heading.
std::string describe(const ReportedBug& bug, const TextStyle& style) {
  std::string text = wrap(summarize(bug), style.width, 2);
  if (display_width(bug.message) > longest_message) text += "\n" + wrap(bug.message, style.width, 4);
  if (bug.count > 1) text += wrap(fmt::format("This was seen in {} runs.", bug.count), style.width, 2);
  if (!bug.reproduced)
    text += wrap("Running the same schedule again gave another result: the program depends on something uncontrolled.",
                 style.width, 2);
  text += describe_run(bug, style);
  std::string details = access_details(bug, style) + waiting_details(bug, style);
  if (bug.waits.empty() && bug.accesses.empty()) details += failure_details(bug, style);
  return text + legend_text(mentioned(legend_of(bug), text + details), style) + details + output(bug, style);
}

std::string describe(const ReportedWarning& warning, const TextStyle& style) {
  const std::string heading = Painter(style).doubtful(shorten("warning: " + warning.kind, style.width)) + "\n";
  return heading + wrap(summarize(warning), style.width, 2) + legend_text(warning.legend, style) +
         warning_details(warning, style);
}

std::string conclusion(const Report& report, const TextStyle& style) {
  const double rate = report.seconds > 0 ? static_cast<double>(report.executions) / report.seconds : 0;
  const std::string effort =
      fmt::format("(strategy {}, {:.2f} s, {:.0f} executions/s)", strategy_text(report), report.seconds, rate);
  const std::string plain = headline(report, {false, style.width});
  const std::size_t last_line = plain.rfind('\n') + 1;  // 0 if there is one line
  const std::size_t width = display_width(plain.substr(last_line)) + 1 + display_width(effort);
  std::string text = headline(report, style);
  text += width <= style.width ? " " + effort + "\n" : "\n" + wrap(effort, style.width, 2);
  for (const std::string& remark : remarks(report)) text += wrap(remark, style.width, 2);
  return text;
}

}  // namespace

std::string to_text(const ReportedBug& given, const TextStyle& style) {
  const ReportedBug run = printable(given);
  const Painter painter(style);
  if (run.kind == "finished") return painter.good("a run that ends well") + "\n" + describe_run(run, style);
  return painter.bad(shorten("bug: " + kind_text(run), style.width)) + "\n" + describe(run, style);
}

std::string to_text(const Report& given, const TextStyle& style) {
  const Report report = printable(given);
  const Painter painter(style);
  std::string text;
  for (std::size_t i = 0; i < report.bugs.size(); ++i) {
    text +=
        painter.bad(shorten("bug: " + kind_text(report.bugs[i]), style.width)) + "\n" + describe(report.bugs[i], style);
    if (report.bugs.size() > 1 && !given.bugs[i].trace.empty())
      text += "\n  Run it again: " + painter.heading(replay_command(given.bugs[i])) + "\n";
    text += "\n";
  }
  for (const ReportedBug& race : report.races)
    text += painter.doubtful(shorten("warning: " + kind_text(race), style.width)) + "\n" + describe(race, style) + "\n";
  for (const ReportedWarning& warning : report.warnings) text += describe(warning, style) + "\n";
  text += conclusion(report, style);
  // The last line is for copying.
  const auto saved = std::find_if(given.bugs.begin(), given.bugs.end(), [](auto& bug) { return !bug.trace.empty(); });
  if (saved != given.bugs.end())
    text += fmt::format("\nRun {} again:\n{}\n", given.bugs.size() == 1 ? "it" : "the first",
                        painter.heading(replay_command(*saved)));
  if (!given.resume_command.empty())
    text += fmt::format("\nGo on with what is left:\n{}\n", painter.heading(given.resume_command));
  return text;
}

}  // namespace norn
