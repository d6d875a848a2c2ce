#include "report/details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/deadlock.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t stack_indent = 6;
constexpr std::size_t frames_shown = 16;
/// A stack with as many may have had more.
constexpr std::size_t frames_kept = 20;
constexpr std::size_t least_function = 24;
constexpr int context_lines = 2;
constexpr std::size_t threads_shown = 8;

/// "function  file:line", with as much of the function's name as fits; the place goes to a line of its own if little
/// of it would.
std::string frame_text(const Place& frame, const TextStyle& style) {
  const std::string front(stack_indent, ' ');
  const std::string remark = frame.inlined ? " (inlined)" : "";
  const std::size_t room = style.width > stack_indent + 1 ? style.width - stack_indent : 1;
  if (frame.file.empty()) return front + shorten_name(frame.function, room) + "\n";
  const std::string place = frame.text() + remark;
  const std::size_t taken = display_width(place) + 2;
  if (taken + std::min(display_width(frame.function), least_function) <= room)
    return fmt::format("{}{}  {}\n", front, shorten_name(frame.function, room - taken), place);
  return fmt::format("{}{}\n{}  {}\n", front, shorten_name(frame.function, room), front, place);
}

std::string stack_text(const std::vector<Place>& stack, const TextStyle& style) {
  std::string text;
  for (std::size_t i = 0; i < stack.size() && i < frames_shown; ++i) text += frame_text(stack[i], style);
  const bool is_cut = stack.size() >= frames_kept;
  if (stack.size() > frames_shown)
    text += fmt::format("{:{}}... {}\n", "", stack_indent,
                        is_cut ? "more frames" : plural(stack.size() - frames_shown, "more frame"));
  return text;
}

/// A heading and, below it, where it was.
std::string moment_text(const std::string& heading, const Moment& moment, const TextStyle& style) {
  return "\n" + wrap(heading + at(moment.place) + ":", style.width, indent) +
         source_excerpt(moment.place, 0, style, stack_indent - 2) + stack_text(moment.stack, style);
}

std::string access_section(const ReportedAccess& access, bool is_race, const TextStyle& style) {
  const std::string size =
      access_text(access) == access.action ? "" : fmt::format(" ({})", plural(access.size, "byte"));
  const std::string what =
      is_race ? access_sentence(access) : fmt::format("{} {}{}", access.action, access.object, size);
  std::string text = moment_text(fmt::format("Thread {} {}", access.when.thread, what), access.when, style);
  for (const ReportedLock& lock : access.locks)
    text += wrap(fmt::format("holding {}{}", lock.object,
                             lock.taken.place.file.empty() ? "" : ", locked at " + lock.taken.place.base_text()),
                 style.width, indent + 2);
  if (access.locks.empty() && is_race) text += wrap("holding no lock", style.width, indent + 2);
  return text;
}

std::string held_by_ended(const ReportedBug& bug, const TextStyle& style) {
  std::string text;
  for (const ReportedLock& lock : bug.held)
    if (!still_waits(bug, lock.taken.thread))
      text += moment_text(
          fmt::format("Thread {} has ended and still holds {}, which it locked", lock.taken.thread, lock.object),
          lock.taken, style);
  return text;
}

std::string wait_section(const ReportedBug& bug, const ReportedWait& wait, const TextStyle& style) {
  std::string held;
  for (const ReportedWait& other : bug.waits) {
    const auto threads = holders(bug, other);
    const bool can_be_had = is_lock_wait(other) || is_once(other);
    const bool holds = can_be_had && std::find(threads.begin(), threads.end(), wait.thread) != threads.end();
    const std::string lock = holding_sentence(other);
    if (!holds || held.find(lock + " ") != std::string::npos) continue;
    const Place since = held_since(bug, wait.thread, other.address);
    held += fmt::format("{}{} ", lock, since.file.empty() ? "" : " since " + since.base_text()) + "and ";
  }
  const std::vector<std::string> threads = holders(bug, wait);
  const bool by_itself = threads.size() == 1 && threads[0] == wait.thread;
  const std::string_view has = is_once(wait) ? "runs" : "holds";
  const std::string_view had = is_once(wait) ? "run" : "held";
  const std::string owner = wait.operation == "thread.join" || threads.empty() ? ""
                            : by_itself ? fmt::format(", which it {} itself,", has)
                                        : fmt::format(", {} by {},", had, enumerate(threads));
  return moment_text(fmt::format("Thread {} {}{}{}", wait.thread, held, wait_sentence(wait), owner),
                     {wait.thread, 0, wait.place, wait.stack}, style);
}

}  // namespace

std::string access_details(const ReportedBug& bug, const TextStyle& style) {
  std::string text;
  for (const ReportedAccess& access : bug.accesses) text += access_section(access, bug.accesses.size() > 1, style);
  if (!bug.block) return text;
  const std::string block = fmt::format("heap block of {}", plural(bug.block->size, "byte"));
  if (bug.block->freed)
    text +=
        moment_text(fmt::format("Thread {} freed the {}", bug.block->freed->thread, block), *bug.block->freed, style);
  if (!bug.block->allocated.thread.empty())
    text += moment_text(fmt::format("Thread {} allocated the {}", bug.block->allocated.thread, block),
                        bug.block->allocated, style);
  return text;
}

std::string waiting_details(const ReportedBug& bug, const TextStyle& style) {
  if (bug.waits.empty()) return "";
  const Deadlock deadlock = analyse_deadlock(bug);
  std::string text;
  std::size_t shown = 0;
  for (const auto* waits : {&deadlock.cycle, &deadlock.roots, &deadlock.followers})
    for (const ReportedWait* wait : *waits)
      if (++shown <= threads_shown) text += wait_section(bug, *wait, style);
  if (shown > threads_shown)
    text += "\n" + wrap(fmt::format("... and {} that wait.", plural(shown - threads_shown, "more thread")), style.width,
                        indent);
  return text + held_by_ended(bug, style);
}

std::string failure_details(const ReportedBug& bug, const TextStyle& style) {
  const std::string excerpt = source_excerpt(bug.place, context_lines, style, indent + 2);
  if ((excerpt.empty() && bug.stack.empty()) || is_leak(bug)) return "";
  return "\n" +
         wrap(fmt::format("Where thread {} {}:", bug.thread, is_about_kept_lock(bug) ? "took it" : "was"), style.width,
              indent) +
         excerpt + (excerpt.empty() || bug.stack.empty() ? "" : "\n") + stack_text(bug.stack, style);
}

std::string warning_details(const ReportedWarning& warning, const TextStyle& style) {
  std::string text;
  for (const ReportedWarning::Step& step : warning.cycle) {
    text += moment_text(fmt::format("Thread {} locked {}", step.thread, step.holds),
                        {step.thread, 0, step.holds_place, step.holds_stack}, style);
    text += moment_text(fmt::format("and, holding it, locked {}", step.wants),
                        {step.thread, 0, step.wants_place, step.wants_stack}, style);
  }
  return text;
}

std::string legend_text(const std::vector<std::pair<std::string, std::string>>& legend, const TextStyle& style) {
  // Objects that lie in the same piece of memory share a sentence.
  std::map<std::string, std::vector<std::string>> names;
  std::vector<std::string> order;
  for (const auto& [name, what] : legend) {
    if (!names.contains(what)) order.push_back(what);
    names[what].push_back(name);
  }
  std::string text;
  for (const std::string& what : order)
    text += wrap(fmt::format("{} {} {}.", enumerate(names[what]), names[what].size() == 1 ? "is" : "are", what),
                 style.width, indent);
  return text.empty() ? "" : "\n" + text;
}

}  // namespace norn
