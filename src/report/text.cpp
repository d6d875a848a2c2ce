#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <sstream>

#include "report/columns.hpp"
#include "report/details.hpp"
#include "report/printable.hpp"
#include "report/summary.hpp"

namespace norn {
namespace {

constexpr std::size_t output_lines_shown = 20;
constexpr std::size_t longest_output_line = 400;

/// A word that a shell takes for one word, and a terminal for nothing else.
std::string for_a_shell(const std::string& word) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_-./+,:@%=", c) != nullptr; };
  if (std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted;
  if (printable(word) == word) {
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return "'" + quoted + "'";
  }
  for (const unsigned char c : word) {
    const bool escaped = c < ' ' || c >= 0x7f || c == '\'' || c == '\\' || c == '%';
    quoted += escaped ? fmt::format("\\{:03o}", c) : std::string(1, static_cast<char>(c));
  }
  return "\"$(printf '" + quoted + "')\"";
}

std::string replay_command(const ReportedBug& bug) { return "norn replay " + for_a_shell(bug.trace); }

std::string minimised(const ReportedBug& bug, const TextStyle& style) {
  if (!bug.minimised) return {};
  const auto& [runs, from_events, from_preemptions, complete] = *bug.minimised;
  if (from_preemptions == bug.preemptions && from_events == bug.events.size()) return {};
  const std::string rest = complete ? "" : "; not every schedule with fewer preemptions was tried (see --minimise)";
  return "\n" + wrap(fmt::format("Minimised from {}, {} in {}{}.", plural(from_events, "event"),
                                 plural(from_preemptions, "preemption"), plural(runs, "run"), rest),
                     style.width, 2);
}

/// "memory (use after free)".
std::string kind_text(const ReportedBug& bug) {
  const std::size_t subject = bug.message.find(": it ");
  return bug.kind == "memory" && subject != std::string::npos
             ? fmt::format("memory ({})", bug.message.substr(0, subject))
             : bug.kind;
}

std::string run(const ReportedBug& bug, const TextStyle& style) {
  std::string heading = fmt::format("The run that shows it ({}, {}", plural(bug.events.size(), "event"),
                                    plural(bug.preemptions, "preemption"));
  const std::vector<Row> rows = without_the_usual(rows_of(bug));
  const std::string file = only_file(rows);
  heading += file.empty() ? "):" : fmt::format("), all of it in {}:", file);
  return "\n" + wrap(heading, style.width, 2) + "\n" + diagram(rows, style, 4) + minimised(bug, style);
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
    const auto ends = [&text, size = name.size()](std::size_t at) {
      return at + size == text.size() || std::isdigit(static_cast<unsigned char>(text[at + size])) == 0;
    };
    std::size_t at = text.find(name);
    while (at != std::string::npos && !ends(at)) at = text.find(name, at + 1);
    if (at != std::string::npos) result.emplace_back(name, what);
  }
  return result;
}

/// Everything but the heading.
std::string describe(const ReportedBug& bug, const TextStyle& style) {
  std::string text = wrap(summarize(bug), style.width, 2);
  if (display_width(bug.message) > longest_message) text += "\n" + wrap(bug.message, style.width, 4);
  if (bug.count > 1) text += wrap(fmt::format("This was seen in {} runs.", bug.count), style.width, 2);
  if (!bug.reproduced)
    text += wrap("Running the same schedule again gave another result: the program depends on something uncontrolled.",
                 style.width, 2);
  text += run(bug, style);
  std::string details = access_details(bug, style) + waiting_details(bug, style);
  if (bug.waits.empty() && bug.accesses.empty()) details += failure_details(bug, style);
  return text + legend_text(mentioned(bug.legend, text + details), style) + details + output(bug, style);
}

std::string describe(const ReportedWarning& warning, const TextStyle& style) {
  const std::string heading = Painter(style).doubtful(shorten("warning: " + warning.kind, style.width)) + "\n";
  return heading + wrap(summarize(warning), style.width, 2) + legend_text(warning.legend, style) +
         warning_details(warning, style);
}

std::string verdict(const Report& report, const Painter& painter) {
  const std::string runs = plural(report.executions, "execution");
  if (!report.bugs.empty())
    return fmt::format("{}: {} found in {}", report.program, painter.bad(plural(report.bugs.size(), "bug")), runs);
  if (report.complete)
    return fmt::format("{}: {}: every one of {} is correct", report.program, painter.good("pass"), runs);
  return fmt::format("{}: {}: no bug in {}, but not everything was explored", report.program,
                     painter.doubtful("incomplete"), runs);
}

/// Two digits are more than an estimate has.
std::string roughly(double number) {
  if (number < 100) return fmt::format("{:.0f}", number);
  if (number >= 1e6) return fmt::format("{:.1e}", number);
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  return fmt::format("{:.0f}", std::round(number / unit) * unit);
}

std::string estimate(const ReportedEstimate& whole) {
  return fmt::format(
      "about {:.2g}% explored: an estimated {} executions in all, between {} and {} as far as the rest is "
      "like what was seen",
      whole.explored * 100, roughly(whole.executions), roughly(whole.low), roughly(whole.high));
}

std::string conclusion(const Report& report, const TextStyle& style) {
  const double rate = report.seconds > 0 ? static_cast<double>(report.executions) / report.seconds : 0;
  const std::string effort =
      fmt::format("(strategy {}, {:.2f} s, {:.0f} executions/s)", report.strategy, report.seconds, rate);
  const std::size_t width = display_width(verdict(report, Painter({}))) + 1 + display_width(effort);
  std::string text = verdict(report, Painter(style));
  text += width <= style.width ? " " + effort + "\n" : "\n" + wrap(effort, style.width, 2);
  for (const std::string& reason : report.reasons) text += wrap(reason, style.width, 2);
  if (report.estimate) text += wrap(estimate(*report.estimate), style.width, 2);
  if (report.partial_runs != 0)
    text += wrap(fmt::format("({} given up because others show all that could follow)",
                             report.partial_runs == 1 ? "1 run was" : fmt::format("{} runs were", report.partial_runs)),
                 style.width, 2);
  if (!report.guarantee.empty()) text += wrap(report.guarantee, style.width, 2);
  for (const std::string& assumption : report.assumptions)
    text += wrap(fmt::format("(as long as there are {})", assumption), style.width, 2);
  return text;
}

}  // namespace

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
  return text;
}

}  // namespace norn
