#include "report/arrows.hpp"

#include <algorithm>
#include <set>

#include "report/deadlock.hpp"

namespace norn {
namespace {

bool is_release(const std::string& operation) {
  return operation.ends_with("unlock") || operation == "semaphore.post" || operation == "binary.post";
}

/// The operation needs something that another thread gives back.
bool is_acquisition(const ReportedEvent& event) {
  if (takes_lock(event)) return true;
  const std::string& operation = event.operation;
  return operation == "monitor.enter" || operation == "once" ||
         ((operation == "semaphore.wait" || operation == "semaphore.try_wait" || operation == "semaphore.timed_wait") &&
          !event.reads && event.alternative != "expires");
}

bool is_access(const std::string& operation) {
  return operation.starts_with("atomic.") || operation.starts_with("plain.");
}

bool finds_value(const std::string& operation) {
  return is_access(operation) && operation != "atomic.store" && operation != "plain.write";
}

}  // namespace

bool gives_back(const ReportedBug& bug, const TimelineRow& row) {
  if (row.kind == "link") return row.text.starts_with("unlock ");
  return row.kind == "event" && is_release(bug.events[row.step].operation);
}

void Arrows::row(const std::string& thread, std::size_t row) {
  last_[thread] = row;
  const auto expected = expected_.find(thread);
  if (expected == expected_.end()) return;
  for (TimelineArrow& arrow : expected->second) {
    arrow.to = row;
    arrows_.push_back(arrow);
  }
  expected_.erase(expected);
}

void Arrows::add_from(const std::map<std::uint64_t, Origin>& origins, const ReportedEvent& event, std::size_t row,
                      const std::string& kind) {
  const auto origin = origins.find(event.address);
  if (origin != origins.end() && origin->second.thread != event.thread) add(origin->second.row, row, kind);
}

void Arrows::receive(const ReportedEvent& event, std::size_t row) {
  std::deque<Origin>& waiting = messages_[event.address];
  const std::string sender = event.alternative.substr(0, event.alternative.find(':'));
  const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const Origin& origin) {
    return event.operation == "withdraw" || origin.thread == sender;
  });
  if (found == waiting.end()) return;
  add(found->row, row, "message");
  waiting.erase(found);
}

void Arrows::event(std::size_t step, std::size_t row) {
  const ReportedEvent& event = bug_.events[step];
  if (is_acquisition(event)) add_from(released_, event, row, "lock");
  if (is_release(event.operation)) released_[event.address] = {row, event.thread};
  if (finds_value(event.operation)) add_from(written_, event, row, "value");
  if (is_access(event.operation) && !event.reads) written_[event.address] = {row, event.thread};
  if (event.operation == "receive" || event.operation == "poll" || event.operation == "withdraw") receive(event, row);
}

void Arrows::link(const ReportedLink& link) {
  const auto own = last_.find(link.thread);
  const auto others = last_.find(link.other);
  if (own == last_.end()) return;
  const std::size_t row = own->second;
  if (link.kind == "created") expected_[link.other].push_back({row, row, "create"});
  if (link.kind == "woke" && link.thread != link.other) expected_[link.other].push_back({row, row, "wake"});
  if (link.kind == "released") released_[link.address] = {row, link.thread};
  if (link.kind == "sent") messages_[link.address].push_back({row, link.thread});
  if (others == last_.end() || others->second >= row) return;
  if (link.kind == "joined") add(others->second, row, "join");
  if (link.kind == "met") add(others->second, row, "wake");
}

/// From where a lock was taken to who waits for it.
void Arrows::add_held(const std::vector<TimelineRow>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].wait == nullptr || !is_lock_wait(*rows[i].wait)) continue;
    for (const std::string& holder : holders(bug_, *rows[i].wait)) {
      const auto takes = [&](const TimelineRow& row) {
        return row.is_event && row.thread == holder && row.address == rows[i].address &&
               takes_lock(bug_.events[row.step]);
      };
      const auto taken = std::find_if(rows.rbegin(), rows.rend(), takes);
      if (taken != rows.rend()) add(static_cast<std::size_t>(rows.rend() - taken) - 1, i, "held");
    }
  }
}

void Arrows::add_race(const std::vector<TimelineRow>& rows) {
  if (bug_.kind != "data-race") return;
  const auto is_part = [](const TimelineRow& row) { return row.access != nullptr; };
  const auto first = std::find_if(rows.begin(), rows.end(), is_part);
  const auto second = first == rows.end() ? first : std::find_if(first + 1, rows.end(), is_part);
  if (second != rows.end())
    add(static_cast<std::size_t>(first - rows.begin()), static_cast<std::size_t>(second - rows.begin()), "race");
}

/// A thread that ends wakes who joins it: one arrow says it.
void Arrows::leave_out_repetitions() {
  std::set<std::pair<std::size_t, std::size_t>> others;
  for (const TimelineArrow& arrow : arrows_)
    if (arrow.kind != "wake") others.emplace(arrow.from, arrow.to);
  std::erase_if(arrows_, [&](const auto& arrow) {
    return arrow.kind == "wake" && others.contains({arrow.from, arrow.to});
  });
}

std::vector<TimelineArrow> Arrows::finish(const std::vector<TimelineRow>& rows) {
  add_held(rows);
  add_race(rows);
  leave_out_repetitions();
  std::stable_sort(arrows_.begin(), arrows_.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  return std::move(arrows_);
}

}  // namespace norn
