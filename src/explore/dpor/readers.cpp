#include "explore/dpor/readers.hpp"

#include <algorithm>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {

bool is_out_of_turn(const Frame& frame, const std::optional<Ending>& end, const Reader& reader) {
  const auto is_since_write = [&](Position i) { return i != nowhere && frame.nodes[i].effect != Effect::write; };
  std::uint32_t known = 0;
  for (Position i = reader.last; is_since_write(i); i = frame.nodes[i].previous)
    if (knows(reader.past, frame.nodes[i])) known = std::max(known, frame.nodes[i].stamp);
  const auto comes_first = [&](const Node& node) {
    return node.shares && node.overtaken != no_thread && node.thread > reader.thread && node.stamp > known;
  };
  for (Position i = reader.last; is_since_write(i); i = frame.nodes[i].previous)
    if (comes_first(frame.nodes[i])) return true;
  return end && end->node.object == reader.object && comes_first(end->node);
}

/// Whether a thread is about to become a reader where one of a later thread has overtaken a writer. It may be out of
/// turn then; it is not if it knows a reader that came since.
bool Dpor::may_be_out_of_turn(ThreadId thread, const Upcoming& upcoming, std::span<const Event> events) const {
  if (!has_readers_ || !is_reader(upcoming.op)) return false;
  const Frame& frame = top();
  const auto overtook = [&](std::size_t i) {
    if (i < frame.given) return frame.nodes[i].shares && frame.nodes[i].overtaken != no_thread;
    return i == frame.given && frame.forced != no_thread && frame.overtaken != no_thread &&
           shares(events[i].op, events[i].effect, events[i].before);
  };
  if (frame.end && frame.end->node.address == upcoming.object && frame.end->node.shares &&
      frame.end->node.overtaken != no_thread && frame.end->node.thread > thread)
    return true;
  for (std::size_t i = events.size(); i-- > 0;) {
    if (events[i].object != upcoming.object) continue;
    if (events[i].effect == Effect::write) return false;
    if (events[i].thread > thread && overtook(i)) return true;
  }
  return false;
}

/// The same for certain.
bool Dpor::is_out_of_turn_now(ThreadId thread, const ThreadsView& threads) {
  const Upcoming upcoming = threads.upcoming(thread);
  const auto events = threads.events();
  if (!may_be_out_of_turn(thread, upcoming, events)) return false;
  look_at_run(events, threads.links());
  const std::uint32_t object = number_of(upcoming.object);
  return is_out_of_turn(so_far_, top().end,
                        {thread, object, causality_so_far_.last_on(object), causality_so_far_.past(thread)});
}

/// What happened because of what in the run at hand.
void Dpor::look_at_run(std::span<const Event> events, std::span<const Link> links) {
  const Frame& frame = top();
  so_far_.clear();
  so_far_.widen(std::max(frame.width, width_of(events, links)));
  causality_so_far_.begin(so_far_, events.size(), links.size());
  std::uint32_t stamp = frame.next_stamp;
  for (std::size_t i = 0; i <= events.size(); ++i) {
    const auto length = static_cast<Position>(so_far_.nodes.size());
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) {
      const Link& link = links.front();
      causality_so_far_.follow(link, Causality::names_object(link.kind) ? number_of(link.object) : 0, length);
    }
    if (i == events.size()) break;
    const bool is_new = i >= frame.given;
    if (is_new && events[i].in_vain) continue;
    so_far_.nodes.push_back(is_new ? node_of(events[i]) : frame.nodes[i]);
    Node& node = so_far_.nodes.back();
    if (is_new) node.stamp = stamp++;
    if (i == frame.given && frame.forced != no_thread) node.overtaken = frame.overtaken;
    causality_so_far_.add(length);
  }
}

/// If a reader may be out of turn, somebody else: the writer that comes first will usually be able to move sooner or
/// later. If it waits for ever, there is no such graph, and the run is given up. Nothing if no reader is.
std::optional<std::size_t> Dpor::choose_in_turn(const FreeChoice& at) {
  std::size_t best = give_up;
  bool is_needed = false;
  for (std::size_t i = 0; i < at.enabled.size(); ++i) {
    const ThreadId thread = at.enabled[i].thread;
    if (may_be_out_of_turn(thread, at.threads->upcoming(thread), at.threads->events())) {
      is_needed = true;
    } else if (best == give_up || (thread == at.last && at.enabled[best].thread != at.last)) {
      best = i;
    }
  }
  if (!is_needed) return {};
  for (std::size_t i = 0; i < at.enabled.size() && best == give_up; ++i)
    if (!is_out_of_turn_now(at.enabled[i].thread, *at.threads)) best = i;
  return best;
}

/// The same after the run.
bool Dpor::was_out_of_turn(ThreadId thread, Op op, const void* of) {
  if (!is_reader(op)) return false;
  const std::uint32_t object = number_of(of);
  return is_out_of_turn(top(), top().end, {thread, object, causality_.last_on(object), causality_.past(thread)});
}

/// Whether a run was given up because all that could go on were out of turn.
bool Dpor::waited_for_turn(const Trace& trace) const {
  const auto may_go = [](const Pending& one) { return one.enabled; };
  const auto is_early = [&](const Pending& one) {
    return !one.enabled || may_be_out_of_turn(one.thread, {one.op, one.object}, trace.events);
  };
  return std::any_of(trace.pending.begin(), trace.pending.end(), may_go) &&
         std::all_of(trace.pending.begin(), trace.pending.end(), is_early);
}

}  // namespace norn::dpor
