// Loops that wait. A round in which a thread sees nothing that lets it out is no part of a graph: the thread just was
// not yet there. But if some events of the round are in the graph for a reason, the others have to wait.

#include "explore/dpor/waits.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {

const Trace& WithoutRounds::of(const Trace& trace, std::size_t pinned) {
  const auto in_vain = [](const Event& event) { return event.in_vain; };
  if (std::none_of(trace.events.begin(), trace.events.end(), in_vain)) return trace;
  events_.clear();
  choices_.clear();
  links_.clear();
  last_rounds_.clear();
  pending_.assign(trace.pending.begin(), trace.pending.end());
  find_last_rounds(trace, pinned);
  const bool ends = trace.end() != End::livelock && trace.end() != End::deadlock && trace.end() != End::repeats;
  auto choices = trace.choices;
  auto links = trace.links;
  for (std::uint32_t i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) {
      links_.push_back(links.front());
      links_.back().step = static_cast<std::uint32_t>(events_.size());
    }
    if (i + (ends ? 1 : 0) == trace.events.size())
      for (const Event& event : last_rounds_) add(event, {});
    if (i == trace.events.size()) break;
    const auto enabled = choices.first(i < trace.prefix ? 0 : trace.events[i].enabled);
    choices = choices.subspan(enabled.size());
    if (!trace.events[i].in_vain || i < pinned) add(trace.events[i], enabled);
  }
  trace_ = trace;
  trace_.events = events_;
  trace_.choices = choices_;
  trace_.links = links_;
  trace_.pending = pending_;
  return trace_;
}

void WithoutRounds::add(const Event& event, std::span<const Choice> enabled) {
  events_.push_back(event);
  events_.back().enabled = static_cast<std::uint16_t>(enabled.size());
  choices_.insert(choices_.end(), enabled.begin(), enabled.end());
}

/// A thread that waits at the end might as well go its last round then, and be before the last event of it.
void WithoutRounds::find_last_rounds(const Trace& trace, std::size_t pinned) {
  for (Pending& pending : pending_) {
    std::size_t i = trace.events.size();
    while (i != 0 && trace.events[i - 1].thread != pending.thread) --i;
    if (i == 0 || !trace.events[i - 1].ends_round) continue;
    const Event& last = trace.events[--i];
    pending = {pending.thread, last.op, last.object, last.argument, false};
    const std::size_t end = last_rounds_.size();
    while (i-- > pinned) {
      if (trace.events[i].thread != pending.thread) continue;
      if (!trace.events[i].in_vain || trace.events[i].ends_round) break;
      last_rounds_.insert(last_rounds_.begin() + static_cast<std::ptrdiff_t>(end), trace.events[i]);
    }
  }
}

/// Whether the graph has a whole round in vain: then it is none.
bool Dpor::waits_in_prefix(std::span<const Event> events) const {
  const auto ends_round = [](const Event& event) { return event.ends_round; };
  return std::any_of(events.begin(), events.begin() + top().pinned(), ends_round);
}

/// Whether a thread went round in vain with events that the graph has. If others of that round are not in the graph,
/// the run is done again, and the thread waits with them until it could see something else.
bool Dpor::waits_in_vain(Frame& frame, const Trace& trace) {
  const auto pinned = std::min(static_cast<Position>(trace.events.size()), frame.pinned());
  for (Position first = 0; first < pinned; ++first) {
    if (!trace.events[first].in_vain || ends_waiting(frame, trace, trace.events[first].thread)) continue;
    Hold hold{trace.events[first].thread, 0, {}, {}};
    for (Position i = first;; ++i) {
      const Event& event = trace.events[i];
      if (event.thread != hold.thread) continue;
      if (i >= pinned && hold.objects.empty()) hold.from = i;
      if (i >= pinned) {
        hold.objects.push_back(event.object);
      } else {
        hold.looked.push_back(i);
      }
      if (event.ends_round) break;
    }
    redundant_ = true;
    if (!hold.objects.empty()) this->hold(frame, std::move(hold));
    return true;
  }
  return false;
}

/// Whether a thread that was held was let go because everybody waits.
bool Dpor::ends_waiting(const Frame& frame, const Trace& trace, ThreadId thread) {
  const auto is_it = [thread](const auto& one) { return one.thread == thread; };
  return trace.end() == End::livelock && std::any_of(frame.holds.begin(), frame.holds.end(), is_it) &&
         std::any_of(trace.pending.begin(), trace.pending.end(), is_it);
}

bool Frame::may_see(ThreadId thread, std::uint32_t index, std::uint32_t write) const {
  for (const Waiting& one : waiting)
    if (one.thread == thread && one.index == index && write != one.seen && write < one.stamp) return false;
  return true;
}

/// What a thread that waits in a loop at the end of the run looks at.
Waiting Dpor::look_of(const Pending& pending) {
  const Position write = causality_.last_write_on(number_of(pending.object));
  const std::uint32_t seen = write == nowhere ? 0 : top().nodes[write].stamp;
  return {pending.thread, causality_.count(pending.thread) + 1, top().next_stamp, seen};
}

/// Whether a thread saw by itself what it must not see in this graph. Then the run is done again, and it waits.
bool Dpor::sees_too_much(Frame& frame, const Trace& trace) {
  if (frame.waiting.empty()) return false;
  std::unordered_map<const void*, std::uint32_t> writes;
  std::vector<std::uint32_t> counts(frame.width);
  std::uint32_t stamp = frame.next_stamp;
  for (Position i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    if (event.in_vain) continue;
    const std::uint32_t index = ++counts[event.thread];
    const bool is_new = i >= frame.pinned();
    const std::uint32_t own = i < frame.given ? frame.nodes[i].stamp : stamp++;
    if (is_new && event.effect == Effect::read && !frame.may_see(event.thread, index, writes[event.object])) {
      hold(frame, {event.thread, i, {event.object}, {}});
      return true;
    }
    if (event.effect == Effect::write) writes[event.object] = own;
  }
  return false;
}

void Dpor::hold(Frame& frame, Hold hold) {
  const auto is_same = [&hold](const Hold& other) { return other.thread == hold.thread; };
  frame.holds.erase(std::remove_if(frame.holds.begin(), frame.holds.end(), is_same), frame.holds.end());
  frame.holds.push_back(std::move(hold));
  frame.retry = redundant_ = true;
}

}  // namespace norn::dpor
