// Data races and memory errors in two sentences.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "report/style.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

/// A place in the course of a run: events have odd positions, what happens between them even ones.
struct Position {
  std::size_t at;
  const Place* place;
};

/// ", paused between lines 30 and 31,": where a thread was while something happened between two events. Nothing if it
/// had not done anything before that, did not go on, or waited itself.
std::string paused(const ReportedBug& bug, const std::string& thread, const Moment& meanwhile) {
  const std::size_t step = meanwhile.step;
  std::vector<Position> positions;
  for (std::size_t i = 0; i < bug.events.size(); ++i)
    if (bug.events[i].thread == thread) positions.push_back({2 * i + 1, &bug.events[i].place});
  if (bug.block && bug.block->allocated.thread == thread)
    positions.push_back({2 * bug.block->allocated.step, &bug.block->allocated.place});
  for (const ReportedAccess& access : bug.accesses)
    if (access.when.thread == thread) positions.push_back({2 * access.when.step, &access.when.place});
  std::stable_sort(positions.begin(), positions.end(), [](auto& a, auto& b) { return a.at < b.at; });
  const auto next = std::find_if(positions.begin(), positions.end(),
                                 [step](const Position& position) { return position.at >= 2 * step; });
  if (next == positions.end() || next == positions.begin()) return "";
  // The first event after the last thing that it did tells whether it could have gone on.
  const std::size_t left = (std::prev(next)->at + 1) / 2;
  if (left >= bug.events.size() || !bug.events[left].preempts) return "";
  const Place& before = *std::prev(next)->place;
  if (before.file.empty() || next->place->file.empty()) return "";
  return fmt::format(", paused {},", between(before, *next->place, meanwhile.place.file));
}

std::string block_text(const ReportedBlock& block) {
  return fmt::format("heap block of {}", plural(block.size, "byte"));
}

std::string allocation(const ReportedBlock& block) {
  if (block.allocated.thread.empty()) return "The block was allocated before the run began.";
  return fmt::format("The block was allocated by thread {}{}.", block.allocated.thread, at(block.allocated.place));
}

std::string locks(const ReportedAccess& access) {
  std::vector<std::string> names;
  for (const ReportedLock& lock : access.locks) names.push_back(lock.object);
  return names.empty() ? "no lock" : enumerate(names);
}

std::string race(const ReportedAccess& first, const ReportedAccess& second) {
  const auto is_common = [&](const ReportedLock& lock) {
    return std::any_of(second.locks.begin(), second.locks.end(),
                       [&](const ReportedLock& other) { return other.address == lock.address; });
  };
  const auto common = std::find_if(first.locks.begin(), first.locks.end(), is_common);
  const std::string protection =
      first.locks.empty() && second.locks.empty() ? "Neither of them holds a lock."
      : common != first.locks.end()
          ? fmt::format("Both hold {}, but not so that it keeps the other out.", common->object)
          : fmt::format("They hold no lock in common: thread {} holds {}, thread {} holds {}.", first.when.thread,
                        locks(first), second.when.thread, locks(second));
  return fmt::format("Thread {} {}{} and thread {} {} it{}, and nothing orders these two accesses: a data race. {}",
                     first.when.thread, access_sentence(first), at(first.when.place), second.when.thread, second.action,
                     at(second.when.place), protection);
}

bool frees(const ReportedAccess& access) { return access.action.find("free") != std::string::npos; }

/// Something is done to a block that has been freed.
std::string after_free(const ReportedBug& bug, const ReportedAccess& access) {
  const ReportedBlock& block = *bug.block;
  const Moment& freed = *block.freed;
  const std::string name = block_text(block);
  if (frees(access))
    return fmt::format("Thread {} frees a {}{} that thread {} has freed already{}. {}", access.when.thread, name,
                       at(access.when.place), freed.thread, at(freed.place), allocation(block));
  if (freed.thread == access.when.thread)
    return fmt::format("Thread {} freed a {}{} and then {} of it{}. {}", freed.thread, name, at(freed.place),
                       access_text(access), at(access.when.place), allocation(block));
  const std::string then =
      fmt::format("Thread {} then {} of it{}.", access.when.thread, access_text(access), at(access.when.place));
  const std::string where = paused(bug, access.when.thread, freed);
  // What it has done since may be how it got the pointer.
  const auto events = std::span(bug.events).first(std::min(access.when.step, bug.events.size()));
  const auto since = events.subspan(std::min(freed.step, events.size()));
  const auto is_its = [&](const ReportedEvent& event) {
    return event.thread == access.when.thread && event.address - block.begin >= block.size;
  };
  if (where.empty() || std::any_of(since.begin(), since.end(), is_its))
    return fmt::format("Thread {} freed a {}{}. {} {}", freed.thread, name, at(freed.place), then, allocation(block));
  return fmt::format("Thread {} freed a {}{} while thread {}{} still held a pointer to it. {}", freed.thread, name,
                     at(freed.place), access.when.thread, where, then);
}

/// "directly beyond the end", "8 bytes before the beginning".
std::string distance(const ReportedBlock& block, const ReportedAccess& access) {
  const std::uint64_t end = block.begin + block.size;
  if (access.address >= end)
    return access.address == end ? "directly beyond the end" : plural(access.address - end, "byte") + " beyond the end";
  if (access.address < block.begin) return plural(block.begin - access.address, "byte") + " before the beginning";
  return "partly beyond the end";
}

std::string on_block(const ReportedBug& bug, const ReportedAccess& access) {
  const ReportedBlock& block = *bug.block;
  const bool inside = access.address >= block.begin && access.address + access.size <= block.begin + block.size;
  if (frees(access))
    return fmt::format("Thread {} frees a pointer{} that is {} into a {}. {}", access.when.thread,
                       at(access.when.place), plural(access.address - block.begin, "byte"), block_text(block),
                       allocation(block));
  if (!inside)
    return fmt::format("Thread {} {}{}, {} of a {}. {}", access.when.thread, access_text(access), at(access.when.place),
                       distance(block, access), block_text(block), allocation(block));
  return fmt::format("Thread {} {}{}. {}", access.when.thread, predicate(bug.message), at(access.when.place),
                     allocation(block));
}

/// The message says how much is lost in how many blocks; the block is the first of these.
std::string leak(const ReportedBug& bug) {
  const ReportedBlock& block = *bug.block;
  const std::string_view message = bug.message;
  return fmt::format("{} at the end of the run. The first is the {} that thread {} allocated{}.",
                     message.substr(std::min(message.size(), message.find(' ') + 1)), block_text(block),
                     block.allocated.thread, at(block.allocated.place));
}

}  // namespace

std::string summarize_access(const ReportedBug& bug) {
  if (bug.accesses.size() >= 2) return race(bug.accesses[0], bug.accesses[1]);
  if (bug.accesses.empty()) return leak(bug);
  const ReportedAccess& access = bug.accesses.front();
  if (bug.block && bug.block->freed) return after_free(bug, access);
  if (bug.block) return on_block(bug, access);
  const std::string message = bug.message.empty() ? access_text(access) : predicate(bug.message);
  return fmt::format("Thread {} {}{}. The address is that of {}.", access.when.thread, message, at(access.when.place),
                     access.what);
}

}  // namespace norn
