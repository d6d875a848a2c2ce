#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

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
    return fmt::format("Thread {} {}{}{}.", bug.thread, message.substr(anonymous.size()),
                       place.empty()             ? ""
                       : is_about_kept_lock(bug) ? ", which it took"
                                                 : ",",
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

/// What happened to the failing thread without any other.
std::string own_doing(const ReportedBug& bug) {
  for (auto event = bug.events.rbegin(); event != bug.events.rend(); ++event) {
    if (event->thread != bug.thread) continue;
    if (event->alternative == "expires")
      return fmt::format("Before that, its time to wait for {} ran out{}.", event->object, at(event->place));
    if (event->alternative == "spurious")
      return fmt::format("Before that, it woke up{} though nobody had notified {}.", at(event->place), event->object);
  }
  return "No thread was interrupted in this run.";
}

/// Where the last thread was paused, if nothing tells what that has changed.
std::string last_preemption(const ReportedBug& bug, const std::function<std::string(std::size_t)>& did) {
  const auto& events = bug.events;
  for (std::size_t i = events.size(); i-- > 1;) {
    if (!events[i].preempts) continue;
    const ReportedEvent& before = events[i - 1];
    const auto is_its = [&before](const ReportedEvent& event) { return event.thread == before.thread; };
    const auto next = std::find_if(events.begin() + static_cast<std::ptrdiff_t>(i), events.end(), is_its);
    const std::string where = next == events.end() ? "after what it did" + at(before.place)
                                                   : between(before.place, next->place, bug.place.file);
    return fmt::format("Thread {} was paused {} while {}.", before.thread, where, did(i));
  }
  return fmt::format("The run that shows it has {}.", plural(bug.preemptions, "preemption"));
}

/// How it came to that.
std::string cause(const ReportedBug& bug) {
  const std::vector<std::string> values = values_after(bug.events);
  const auto did = [&](std::size_t i) {
    const ReportedEvent& event = bug.events[i];
    return fmt::format("thread {} {}{}", event.thread, event_sentence(event, values[i]), at(event.place));
  };
  const auto found = find_cause(bug);
  if (!found) return bug.preemptions == 0 ? own_doing(bug) : last_preemption(bug, did);
  if (!found->before) return fmt::format("Before that, {}, and {}.", did(found->change), did(found->after));
  const std::string who = found->thread == bug.thread ? "It" : "Thread " + found->thread;
  const Place& before = bug.events[*found->before].place;
  const Place& after = bug.events[found->after].place;
  const bool paused = was_paused(bug, *found->before);
  // What it waited for, the end of a thread, may be no event, and in another line than what came before and after it.
  const bool is_known = paused || before.file != after.file || before.line != after.line;
  const std::string where = is_known ? " " + between(before, after, bug.place.file) : "";
  return fmt::format("{} {}{} while {}.", who, paused ? "was paused" : "waited", where, did(found->change));
}

/// The names, without directories, of the files that a summary may speak of, each followed by a colon.
std::set<std::string> files_of(const ReportedBug& bug) {
  std::set<std::string> files;
  const auto add = [&files](const Place& place) {
    if (!place.file.empty()) files.insert(place.base_name() + ":");
  };
  add(bug.place);
  for (const ReportedEvent& event : bug.events) add(event.place);
  for (const ReportedWait& wait : bug.waits) add(wait.place);
  for (const ReportedLock& lock : bug.held) add(lock.taken.place);
  for (const ReportedAccess& access : bug.accesses) add(access.when.place);
  if (bug.block) add(bug.block->allocated.place);
  if (bug.block && bug.block->freed) add(bug.block->freed->place);
  return files;
}

/// Where in a text a place in a file is named, from some point on.
std::size_t find_place(const std::string& text, const std::string& file, std::size_t from) {
  std::size_t found = text.find(file, from);
  while (found != std::string::npos && found != 0 && text[found - 1] != ' ' && text[found - 1] != '(')
    found = text.find(file, found + 1);
  return found;
}

/// "queue.cpp:31 ... line 32" reads better than the same name again and again.
std::string with_one_file_named_once(std::string text, const std::set<std::string>& files) {
  std::string only;
  for (const std::string& file : files) {
    if (find_place(text, file, 0) == std::string::npos) continue;
    if (!only.empty()) return text;
    only = file;
  }
  if (only.empty()) return text;
  std::size_t found = find_place(text, only, 0);
  while ((found = find_place(text, only, found + 1)) != std::string::npos) text.replace(found, only.size(), "line ");
  return text;
}

}  // namespace

std::string at(const Place& place) { return place.file.empty() ? "" : " at " + place.base_text(); }

std::string between(const Place& before, const Place& after, const std::string& file) {
  if (before.file.empty() || after.file.empty()) return "there";
  if (before.file != after.file) return fmt::format("between {} and {}", before.base_text(), after.base_text());
  const std::string of = before.file == file ? "" : " of " + before.base_name();
  if (before.line == after.line) return fmt::format("in line {}{}", before.line, of);
  return fmt::format("between lines {} and {}{}", before.line, after.line, of);
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string predicate(const std::string& message) {
  constexpr std::string_view subject = ": it ";
  const std::size_t at = message.find(subject);
  return at == std::string::npos ? message : message.substr(at + subject.size());
}

std::string summarize(const ReportedBug& bug) {
  if (!bug.waits.empty()) return with_one_file_named_once(summarize_waiting(bug), files_of(bug));
  if (!bug.accesses.empty() || bug.block) return with_one_file_named_once(summarize_access(bug), files_of(bug));
  return with_one_file_named_once(fmt::format("{} {}", failure(bug), cause(bug)), files_of(bug));
}

namespace {

/// Whether somebody has tried to get there.
std::string steered(const ReportedWarning& warning) {
  if (!warning.attempts) return "";
  if (*warning.attempts == 0) return " No run was steered there, because of the bound on preemptions.";
  return fmt::format(" {} that were steered there did not get there: something else may keep them apart.",
                     plural(*warning.attempts, "run"));
}

}  // namespace

std::string summarize(const ReportedWarning& warning) {
  std::vector<std::string> steps;
  for (const ReportedWarning::Step& step : warning.cycle)
    steps.push_back(fmt::format("thread {} holds {}{} when it locks {}{}", step.thread, step.holds,
                                step.holds_place.file.empty() ? "" : " (since " + step.holds_place.base_text() + ")",
                                step.wants, at(step.wants_place)));
  if (steps.empty()) return capitalized(warning.message) + ".";
  std::set<std::string> files;
  for (const ReportedWarning::Step& step : warning.cycle)
    for (const Place& place : {step.holds_place, step.wants_place}) files.insert(place.base_name() + ":");
  return with_one_file_named_once(
      fmt::format("{}. If they do this at the same time, each can wait for the next for ever.{}",
                  capitalized(enumerate(steps)), steered(warning)),
      files);
}

}  // namespace norn
