// Deadlocks, lost wake-ups and livelocks in two sentences.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "report/cause.hpp"
#include "report/deadlock.hpp"
#include "report/style.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

/// A list of all of a hundred philosophers explains nothing.
constexpr std::size_t most_threads = 4;

std::string since(const Place& place) { return place.file.empty() ? "" : " since " + place.base_text(); }

std::string and_others(std::vector<std::string> texts, std::string_view separator) {
  const std::size_t more = texts.size() > most_threads ? texts.size() - most_threads : 0;
  texts.resize(texts.size() - more);
  std::string text;
  for (const std::string& part : texts) text += (text.empty() ? "" : std::string(separator)) + part;
  return more == 0 ? text : fmt::format("{}{}and so on for {}", text, separator, plural(more, "more thread"));
}

/// "; thread main waits for main/1 to end".
std::string consequences(const std::vector<const ReportedWait*>& followers) {
  std::vector<std::string> texts;
  for (const ReportedWait* wait : followers) {
    const std::string runner = is_once(*wait) && !wait->holder.empty() ? ", which " + wait->holder + " runs" : "";
    texts.push_back(fmt::format("thread {} {}{}", wait->thread, wait_sentence(*wait), runner));
  }
  return texts.empty() ? "" : "; " + and_others(texts, ", ");
}

std::string self_deadlock(const ReportedBug& bug, const ReportedWait& wait, const std::string& rest) {
  if (wait.operation == "thread.join")
    return fmt::format("Thread {} waits for itself to end{}. It never will{}.", wait.thread, at(wait.place), rest);
  const std::string began = since(held_since(bug, wait.thread, wait.address));
  if (is_once(wait))
    return fmt::format("Thread {} {}{}, which it runs itself{}. It can never finish that{}.", wait.thread,
                       wait_sentence(wait), at(wait.place), began, rest);
  return fmt::format("Thread {} {}{}, which it has held itself{}. Nobody else can release it{}.", wait.thread,
                     wait_sentence(wait), at(wait.place), began, rest);
}

std::string cycle(const ReportedBug& bug, const Deadlock& deadlock) {
  const auto& waits = deadlock.cycle;
  if (waits.size() == 1) return self_deadlock(bug, *waits[0], consequences(deadlock.followers));
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const ReportedWait& wait = *waits[i];
    const ReportedWait& previous = *waits[(i + waits.size() - 1) % waits.size()];
    const std::string holds = is_lock_wait(previous) || is_once(previous)
                                  ? fmt::format("{}{} and ", holding_sentence(previous),
                                                since(held_since(bug, wait.thread, previous.address)))
                                  : "";
    steps.push_back(fmt::format("thread {} {}{}{}", wait.thread, holds, wait_sentence(wait), at(wait.place)));
  }
  return fmt::format("{}. {}{}.", capitalized(and_others(steps, "; ")),
                     waits.size() == 2 ? "Each waits for the other, so neither can ever go on"
                                       : "Each waits for the next, so none of them can ever go on",
                     consequences(deadlock.followers));
}

/// A lock that will not be released because its owner has ended.
std::string abandoned(const ReportedBug& bug, const ReportedWait& wait, const std::string& rest) {
  const bool once = is_once(wait);
  return fmt::format(
      "Thread {} {}{}, which thread {} has {}{} and never {}. Thread {} has ended, so nobody can {} any more{}.",
      wait.thread, wait_sentence(wait), at(wait.place), wait.holder, once ? "run" : "held",
      since(held_since(bug, wait.holder, wait.address)), once ? "finished" : "released", wait.holder,
      once ? "finish it" : "release it", rest);
}

bool notifies(const ReportedEvent& event) {
  return event.operation == "condition.signal" || event.operation == "condition.broadcast" ||
         event.operation == "address.wake";
}

/// What became of the last notification of an object that a thread waits on.
std::string last_notification(const ReportedBug& bug, const ReportedWait& wait) {
  const auto last = [&](auto matches) {
    return std::find_if(bug.events.rbegin(), bug.events.rend(),
                        [&](const ReportedEvent& event) { return event.address == wait.address && matches(event); });
  };
  const auto notification = last(notifies);
  if (notification == bug.events.rend()) return fmt::format("Nobody ever notified {} in this run", wait.object);
  const auto began = last(
      [&](const ReportedEvent& event) { return event.thread == wait.thread && event.operation.ends_with(".wait"); });
  const std::string who = fmt::format("The last notification, by {}{}", notification->thread, at(notification->place));
  const bool came_before = began != bug.events.rend() && began < notification;
  const auto woke_it = [&](const ReportedEvent& event) {
    return event.thread == wait.thread && event.operation == "condition.relock";
  };
  if (came_before && std::any_of(began, notification, woke_it))
    return fmt::format("{}, woke it, and it began to wait again", who);
  const auto waits_there = [&](const ReportedEvent& event) {
    return event.address == wait.address && event.operation.ends_with(".wait");
  };
  const bool was_lost = std::none_of(notification, bug.events.rend(), waits_there);
  if (came_before)
    return fmt::format("{}, came before it began to wait{}", who,
                       was_lost || notification->alternative == "nobody" ? ", when nobody waited, and was lost" : "");
  return notification->alternative == "-" ? who : fmt::format("{}, woke {} instead", who, notification->alternative);
}

/// How often something was done.
std::string done(std::string_view what, std::size_t count) {
  if (count == 0) return fmt::format("never {}", what);
  if (count <= 2) return fmt::format("{} {}", what, count == 1 ? "once" : "twice");
  return fmt::format("{} {} times", what, count);
}

/// What the events say about the object that a thread waits for.
std::string history(const ReportedBug& bug, const ReportedWait& wait) {
  std::map<std::string, std::size_t> counts;
  for (const ReportedEvent& event : bug.events)
    if (event.address == wait.address && event.alternative != "expires" &&
        (!event.reads || event.operation == "barrier.meet"))
      ++counts[event.operation];
  if (wait.operation.starts_with("semaphore."))
    return fmt::format(
        "In this run it was {} and {}", done("released", counts["semaphore.post"]),
        done("acquired", counts["semaphore.wait"] + counts["semaphore.try_wait"] + counts["semaphore.timed_wait"]));
  if (wait.operation.starts_with("barrier."))
    return fmt::format("In this run it was {}", done("reached", counts["barrier.arrive"] + counts["barrier.meet"]));
  if (wait.operation.starts_with("condition.") || wait.operation.starts_with("address."))
    return last_notification(bug, wait);
  return "All other threads have ended or wait themselves";
}

std::string what_nobody_does(const ReportedWait& wait) {
  if (wait.operation.starts_with("semaphore.")) return "release it";
  if (wait.operation.starts_with("barrier.")) return "arrive there";
  if (wait.operation.starts_with("condition.") || wait.operation.starts_with("address.")) return "notify it";
  if (wait.operation.starts_with("atomic.")) return "change it";
  if (wait.operation == "once") return "finish that";
  return "release it";
}

/// Threads that wait for something that nobody is left to do.
std::string hopeless(const ReportedBug& bug, const Deadlock& deadlock) {
  const ReportedWait& first = *deadlock.roots.front();
  std::vector<const ReportedWait*> others;
  std::vector<std::string> same;
  for (const ReportedWait* wait : deadlock.roots)
    if (wait != &first && wait->address == first.address && wait->operation == first.operation) {
      same.push_back(wait->thread + at(wait->place));
    } else if (wait != &first) {
      others.push_back(wait);
    }
  others.insert(others.end(), deadlock.followers.begin(), deadlock.followers.end());
  const std::string rest = consequences(others);
  if (!first.holder.empty() && first.operation != "thread.join" && !still_waits(bug, first.holder))
    return abandoned(bug, first, rest);
  const std::string too =
      same.empty() ? "" : fmt::format(" (and so {} {})", same.size() == 1 ? "does" : "do", and_others(same, ", "));
  return fmt::format("Thread {} {}{}{}, and no thread is left that could {}. {}{}.", first.thread, wait_sentence(first),
                     at(first.place), too, what_nobody_does(first), history(bug, first), rest);
}

/// What a thread that spins found at last.
std::string last_seen(const ReportedBug& bug, const ReportedWait& spinner) {
  const auto sees = [&](const ReportedEvent& event) {
    return event.address == spinner.address && event.thread == spinner.thread && !event.value.empty();
  };
  const auto last = std::find_if(bug.events.rbegin(), bug.events.rend(), sees);
  return last == bug.events.rend() ? "" : last->value;
}

/// The last change of it by another thread. An update that leaves what was there is none.
const ReportedEvent* last_writer(const ReportedBug& bug, const ReportedWait& spinner, const std::string& seen) {
  const std::vector<std::string> values = values_after(bug.events);
  for (std::size_t i = bug.events.size(); i-- > 0;) {
    const ReportedEvent& event = bug.events[i];
    if (event.address != spinner.address || event.thread == spinner.thread || event.reads) continue;
    const std::string& after = values[i].empty() ? seen : values[i];
    if (event.operation != "atomic.update" || event.value.empty() || event.value != after) return &event;
  }
  return nullptr;
}

/// Whether a thread that goes round would see there that something has changed.
bool looks(const ReportedWait& spinner) {
  constexpr std::array others = {"unlock", "post", "store", "signal", "broadcast", "wake", "condition.wait"};
  return std::none_of(others.begin(), others.end(),
                      [&](std::string_view name) { return spinner.operation.ends_with(name); });
}

std::string livelock(const ReportedBug& bug, const Deadlock& deadlock) {
  const auto spins = [&](const ReportedWait& wait) { return wait.thread == bug.thread; };
  const auto found = std::find_if(bug.waits.begin(), bug.waits.end(), spins);
  const ReportedWait& spinner = found == bug.waits.end() ? bug.waits.front() : *found;
  const std::string seen = last_seen(bug, spinner);
  const ReportedEvent* const writer = last_writer(bug, spinner, seen);
  std::vector<const ReportedWait*> others;
  for (const auto* list : {&deadlock.cycle, &deadlock.roots, &deadlock.followers})
    std::copy_if(list->begin(), list->end(), std::back_inserter(others),
                 [&](const ReportedWait* wait) { return wait != &spinner; });
  if (!looks(spinner))
    return fmt::format(
        "Thread {} goes round in a loop{}: each time all is as it was before, and no thread is left that "
        "could change that{}.",
        spinner.thread, at(spinner.place), consequences(others));
  const std::string finds = seen.empty() ? "" : fmt::format("It finds {} there, and ", seen);
  const std::string last =
      writer == nullptr ? "no other thread has changed it in this run"
                        : fmt::format("the last to change it was thread {}{}", writer->thread, at(writer->place));
  return fmt::format("Thread {} goes round in a loop{}: it {}, and no thread is left that could change it. {}{}{}.",
                     spinner.thread, at(spinner.place), wait_sentence(spinner), finds,
                     finds.empty() ? capitalized(last) : last, consequences(others));
}

}  // namespace

std::string summarize_waiting(const ReportedBug& bug) {
  const Deadlock deadlock = analyse_deadlock(bug);
  if (bug.kind == "livelock") return livelock(bug, deadlock);
  if (!deadlock.cycle.empty()) return cycle(bug, deadlock);
  if (!deadlock.roots.empty()) return hopeless(bug, deadlock);
  return capitalized(bug.message) + ".";
}

}  // namespace norn
