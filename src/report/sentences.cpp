#include "report/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

namespace norn {
namespace {

std::string estimate(const ReportedEstimate& whole) {
  return fmt::format(
      "about {:.2g}% explored: an estimated {} executions in all, between {} and {} as far as the rest is "
      "like what was seen",
      std::min(whole.explored, 0.99) * 100, roughly(whole.executions), roughly(whole.low), roughly(whole.high));
}

std::string first_line(const std::string& text, std::size_t width) {
  const std::string lines = wrap(text, width, 0);
  return lines.substr(0, lines.find('\n'));
}

}  // namespace

std::string for_a_shell(const std::string& word) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_-./+,:@%=", c) != nullptr; };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
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

std::string roughly(double number) {
  if (number < 100) return fmt::format("{:.0f}", number);
  if (number >= 1e6) return fmt::format("{:.1e}", number);
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  return fmt::format("{:.0f}", std::round(number / unit) * unit);
}

std::string kind_text(const ReportedBug& bug) {
  const std::size_t subject = is_leak(bug) ? bug.message.find(": ") : bug.message.find(": it ");
  return bug.kind == "memory" && subject != std::string::npos
             ? fmt::format("memory ({})", bug.message.substr(0, subject))
             : bug.kind;
}

std::string replay_command(const ReportedBug& bug) { return "norn replay " + for_a_shell(bug.trace); }

std::string simplified(const ReportedBug& bug) {
  if (!bug.minimised) return {};
  const auto& [runs, from_events, from_preemptions, complete] = *bug.minimised;
  if (from_preemptions == bug.preemptions && from_events == bug.events.size()) return {};
  return fmt::format("Minimised from {}, {} in {}{}.", plural(from_events, "event"),
                     plural(from_preemptions, "preemption"), plural(runs, "run"),
                     complete ? "" : "; not every schedule with fewer preemptions was tried (see --minimise)");
}

std::string finding(const Report& report) {
  const std::string runs = plural(report.executions, "execution");
  if (!report.bugs.empty()) return fmt::format("{} found in {}", plural(report.bugs.size(), "bug"), runs);
  return report.complete ? fmt::format("every one of {} is correct", runs)
                         : fmt::format("no bug in {}, but not everything was explored", runs);
}

std::string headline(const Report& report, const TextStyle& style) {
  constexpr std::size_t indent = 2;
  const Painter painter(style);
  const std::string verdict = report.bugs.empty() ? report.verdict() : plural(report.bugs.size(), "bug");
  const std::string sentence = report.bugs.empty() ? fmt::format("{}: {}", verdict, finding(report)) : finding(report);
  const std::string painted = !report.bugs.empty() ? painter.bad(verdict)
                              : report.complete    ? painter.good(verdict)
                                                   : painter.doubtful(verdict);
  // A name is never broken, however long it is.
  const std::size_t used = display_width(report.program) + 2;
  const bool fits_beside = used + display_width(verdict) <= style.width;
  const std::string first = fits_beside ? first_line(sentence, style.width - used) : "";
  std::string text = report.program + ":";
  if (fits_beside) text += " " + painted + first.substr(verdict.size());
  if (first.size() == sentence.size()) return text;
  std::string rest = wrap(sentence.substr(sentence.find_first_not_of(' ', first.size())), style.width, indent);
  if (!fits_beside) rest.replace(indent, verdict.size(), painted);
  rest.pop_back();
  return fmt::format("{}\n{}", text, rest);
}

std::string strategy_text(const Report& report) {
  if (report.strategy_used.empty() || report.strategy_used == report.strategy) return report.strategy;
  return fmt::format("{} ({})", report.strategy, report.strategy_used);
}

std::vector<std::string> remarks(const Report& report) {
  std::vector<std::string> list = report.reasons;
  if (report.estimate) list.push_back(estimate(*report.estimate));
  if (report.partial_runs != 0)
    list.push_back(
        fmt::format("({} given up because others show all that could follow)",
                    report.partial_runs == 1 ? "1 run was" : fmt::format("{} runs were", report.partial_runs)));
  if (!report.guarantee.empty()) list.push_back(report.guarantee);
  if (!report.checkpoint_problem.empty()) list.push_back(report.checkpoint_problem);
  for (const std::string& assumption : report.assumptions)
    list.push_back(fmt::format("(as long as there are {})", assumption));
  if (report.control)
    for (std::string& sentence : describe(*report.control, report.threads_max)) list.push_back(std::move(sentence));
  return list;
}

}  // namespace norn
