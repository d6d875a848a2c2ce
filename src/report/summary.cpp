#include "report/summary.hpp"

#include <fmt/format.h>

#include "report/cause.hpp"
#include "report/style.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

/// What failed, and where.
std::string failure(const ReportedBug& bug) {
  const std::string thread = "thread " + bug.thread;
  const std::string place = at(bug.place);
  const std::string message = shorten(bug.message, longest_message);
  constexpr std::string_view anonymous = "the thread ";
  if (message.starts_with(anonymous))
    return fmt::format("Thread {} {}{}{}.", bug.thread, message.substr(anonymous.size()), place.empty() ? "" : ",",
                       place);
  if (bug.kind == "assertion" && message.starts_with("assertion "))
    return fmt::format("The {} in {}{}.", message, thread, place);
  if (bug.kind == "crash") return fmt::format("Thread {} crashed{}: {}.", bug.thread, place, message);
  if (bug.kind == "exception") return fmt::format("Thread {} failed{} with an {}.", bug.thread, place, message);
  if (bug.kind == "abort") return fmt::format("Thread {} ended the program{}: {}.", bug.thread, place, message);
  if (bug.kind == "property") return fmt::format("Thread {} failed{}: {}.", bug.thread, place, message);
  if (message.empty()) return fmt::format("Thread {} failed{}: {}.", bug.thread, place, bug.kind);
  return fmt::format("{} in {}{}.", capitalized(message), thread, place);
}

/// How it came to that.
std::string cause(const ReportedBug& bug) {
  const auto found = find_cause(bug);
  if (!found) {
    if (bug.preemptions == 0) return "No thread was interrupted in this run.";
    return fmt::format("The run that shows it has {}.", plural(bug.preemptions, "preemption"));
  }
  const std::vector<std::string> values = values_after(bug.events);
  const auto did = [&](std::size_t i) {
    const ReportedEvent& event = bug.events[i];
    return fmt::format("thread {} {}{}", event.thread, event_sentence(event, values[i]), at(event.place));
  };
  if (!found->before) return fmt::format("Before that, {}, and {}.", did(found->change), did(found->after));
  const std::string who = found->thread == bug.thread ? "It" : "Thread " + found->thread;
  return fmt::format("{} was paused {} while {}.", who,
                     between(bug.events[*found->before].place, bug.events[found->after].place), did(found->change));
}

}  // namespace

std::string at(const Place& place) { return place.file.empty() ? "" : " at " + place.base_text(); }

std::string between(const Place& before, const Place& after) {
  if (before.file.empty() || after.file.empty()) return "there";
  if (before.file != after.file) return fmt::format("between {} and {}", before.base_text(), after.base_text());
  if (before.line == after.line) return "in line " + std::to_string(before.line);
  return fmt::format("between lines {} and {}", before.line, after.line);
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string summarize(const ReportedBug& bug) {
  if (!bug.waits.empty()) return summarize_waiting(bug);
  if (!bug.accesses.empty() || bug.block) return summarize_access(bug);
  return fmt::format("{} {}", failure(bug), cause(bug));
}

std::string summarize(const ReportedWarning& warning) {
  std::vector<std::string> steps;
  for (const ReportedWarning::Step& step : warning.cycle)
    steps.push_back(fmt::format("thread {} holds {}{} when it locks {}{}", step.thread, step.holds,
                                step.holds_place.file.empty() ? "" : " (since " + step.holds_place.base_text() + ")",
                                step.wants, at(step.wants_place)));
  if (steps.empty()) return capitalized(warning.message) + ".";
  return fmt::format("{}. If they do this at the same time, each can wait for the next for ever.",
                     capitalized(enumerate(steps)));
}

}  // namespace norn
