#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>

#include "report/report.hpp"

namespace norn {
namespace {

/// Longer runs are shown by their end.
constexpr std::size_t events_shown = 60;
constexpr std::size_t output_lines_shown = 20;

class Painter {
 public:
  explicit Painter(const TextStyle& style) : color_(style.color) {}
  [[nodiscard]] std::string bold(std::string_view text) const { return paint("1", text); }
  [[nodiscard]] std::string red(std::string_view text) const { return paint("1;31", text); }
  [[nodiscard]] std::string green(std::string_view text) const { return paint("1;32", text); }
  [[nodiscard]] std::string yellow(std::string_view text) const { return paint("1;33", text); }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  bool color_;
};

/// A word that a shell takes for one word.
std::string for_a_shell(const std::string& word) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_-./+,:@%=", c) != nullptr; };
  if (std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "mutex.lock" -> "lock", with what came out of it where that was open.
std::string action(const ReportedEvent& event) {
  std::string text = event.operation;
  if (event.alternative == "expires") return text + " (time ran out)";
  if (event.alternative == "spurious") return text + " (woke up spuriously)";
  if (event.alternative == "nobody") return text + " (nobody waits)";
  if (event.alternative != "-") return text + " (wakes " + event.alternative + ")";
  return text;
}

std::string wait_line(const ReportedWait& wait) {
  const std::string at = wait.place.file.empty() ? "" : " at " + wait.place.text();
  if (wait.operation == "thread.join") return fmt::format("  {} waits for {} to end{}\n", wait.thread, wait.holder, at);
  const std::string held = wait.holder.empty()          ? ""
                           : wait.holder == wait.thread ? ", which it holds itself"
                                                        : ", which " + wait.holder + " holds";
  return fmt::format("  {} waits in {} on {}{}{}\n", wait.thread, wait.operation, wait.object, held, at);
}

std::string schedule(const ReportedBug& bug) {
  std::size_t thread_width = 0;
  std::size_t action_width = 0;
  std::size_t object_width = 0;
  const std::size_t first = bug.events.size() > events_shown ? bug.events.size() - events_shown : 0;
  for (std::size_t i = first; i < bug.events.size(); ++i) {
    thread_width = std::max(thread_width, bug.events[i].thread.size());
    action_width = std::max(action_width, action(bug.events[i]).size());
    object_width = std::max(object_width, bug.events[i].object.size());
  }
  std::string text = fmt::format("  The schedule that shows it ({}, {}):\n", plural(bug.events.size(), "event"),
                                 plural(bug.preemptions, "preemption"));
  if (first != 0) text += fmt::format("    ... {} before ...\n", plural(first, "event"));
  for (std::size_t i = first; i < bug.events.size(); ++i) {
    const ReportedEvent& event = bug.events[i];
    text += fmt::format("    {:<{}}  {:<{}}  {:<{}}  {}\n", event.thread, thread_width, action(event), action_width,
                        event.object, object_width, event.place.text());
  }
  return text;
}

std::string minimised(const ReportedBug& bug) {
  if (!bug.minimised) return {};
  const auto& [runs, from_events, from_preemptions, complete] = *bug.minimised;
  if (from_preemptions == bug.preemptions && from_events == bug.events.size()) return {};
  return fmt::format("  Minimised from {}, {} in {}{}\n", plural(from_preemptions, "preemption"),
                     plural(from_events, "event"), plural(runs, "run"),
                     complete ? "" : "; not every schedule with fewer preemptions was tried (see --minimise)");
}

std::string call_stack(const ReportedBug& bug) {
  if (bug.stack.empty()) return {};
  std::string text = fmt::format("  Where {} was:\n", bug.thread);
  for (const Place& place : bug.stack)
    text += fmt::format("    {}{}\n", place.function, place.file.empty() ? "" : "  " + place.text());
  return text;
}

std::string output(const ReportedBug& bug) {
  if (bug.output.empty()) return {};
  std::string text = "  What the program printed in this run:\n";
  std::istringstream lines(bug.output);
  std::string line;
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    if (i == output_lines_shown) return text + "    ...\n";
    text += "    | " + line + "\n";
  }
  return text;
}

std::string describe(const ReportedBug& bug, const Painter& painter) {
  std::string text = fmt::format("{} {}", painter.red("bug: " + bug.kind), bug.message);
  text += fmt::format("\n  in thread {} at {}", bug.thread, bug.place.text());
  if (bug.count > 1) text += fmt::format(" (in {} of the runs)", bug.count);
  text += "\n";
  for (const ReportedWait& wait : bug.waits) text += wait_line(wait);
  if (bug.waits.empty()) text += call_stack(bug);
  text += schedule(bug) + minimised(bug);
  text += output(bug);
  if (!bug.reproduced)
    text += "  Running the same schedule again gave another result: the program depends on something uncontrolled.\n";
  if (!bug.trace.empty())
    text += fmt::format("  Run it again: {}\n", painter.bold("norn replay " + for_a_shell(bug.trace)));
  return text;
}

std::string verdict(const Report& report, const Painter& painter) {
  const std::string runs = plural(report.executions, "execution");
  if (!report.bugs.empty())
    return fmt::format("{}: {} found in {}", report.program, painter.red(plural(report.bugs.size(), "bug")), runs);
  if (report.complete)
    return fmt::format("{}: {}: every one of {} is correct", report.program, painter.green("pass"), runs);
  return fmt::format("{}: {}: no bug in {}, but not everything was explored", report.program,
                     painter.yellow("incomplete"), runs);
}

}  // namespace

std::string to_text(const Report& report, const TextStyle& style) {
  const Painter painter(style);
  std::string text;
  for (const ReportedBug& bug : report.bugs) text += describe(bug, painter) + "\n";
  text += verdict(report, painter);
  const double rate = report.seconds > 0 ? static_cast<double>(report.executions) / report.seconds : 0;
  text += fmt::format(" (strategy {}, {:.2f} s, {:.0f} executions/s)\n", report.strategy, report.seconds, rate);
  for (const std::string& reason : report.reasons) text += "  " + reason + "\n";
  if (!report.guarantee.empty()) text += "  " + report.guarantee + "\n";
  return text;
}

}  // namespace norn
