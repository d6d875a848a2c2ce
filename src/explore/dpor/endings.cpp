// Runs that end while threads are still there: whatever ends a run comes last, and all that could have come before it
// is one behaviour each.

#include <algorithm>
#include <utility>

#include "explore/dpor/dpor.hpp"
#include "explore/preemption.hpp"

namespace norn::dpor {

namespace {

std::uint64_t thread_bit(ThreadId thread) { return thread < 64 ? std::uint64_t{1} << thread : 0; }

/// The number of the next event of a thread.
std::uint32_t next_index(ThreadId thread, std::span<const Event> events) {
  const auto is_before = [thread](const Event& event) { return event.thread == thread && !event.in_vain; };
  return static_cast<std::uint32_t>(std::count_if(events.begin(), events.end(), is_before)) + 1;
}

Upcoming upcoming_of(const Pending& pending) { return {pending.op, pending.object, nullptr, pending.argument}; }

/// Whether a thread goes on because of what ended the run.
bool is_let_go(ThreadId thread, std::span<const Link> links) {
  return std::any_of(links.begin(), links.end(), [thread](const Link& link) {
    return link.other == thread && (link.kind == LinkKind::woke || link.kind == LinkKind::created);
  });
}

}  // namespace

/// A thread ended the run while others were there.
bool Dpor::ended_early(const Trace& trace) {
  const End end = trace.end();
  const bool nobody_could_move = end == End::deadlock || end == End::livelock;
  if (nobody_could_move || end == End::repeats || is_cut(end) || trace.events.empty()) return false;
  // Otherwise the main thread has waited for all the others.
  return !trace.pending.empty() || end != End::finished || trace.events.back().op == Op::process_exit;
}

/// Whether a thread failed because of two events that do not know each other: it went on because another had ended, or
/// at a barrier, and it had done something before, or joined somebody else. Then each of the two can come last and end
/// the run, and neither does so alone. That makes no difference if nobody is left but threads that wait for others to
/// end.
bool Dpor::failed_with_another(const Trace& trace) {
  const ThreadId failed = trace.outcome->thread;
  const auto joins = [](const Pending& pending) { return pending.op == Op::thread_join; };
  if (!ended_early(trace) || failed == no_thread || std::all_of(trace.pending.begin(), trace.pending.end(), joins))
    return false;
  std::unordered_map<const void*, std::uint32_t> numbers;
  const auto number_of = [&numbers](const void* object) {
    return numbers.try_emplace(object, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  Frame frame;
  frame.widen(width_of(trace));
  Causality causality;
  causality.begin(frame, trace.events.size(), trace.links.size());
  auto links = trace.links;
  for (Position i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1))
      causality.follow(links.front(), number_of(links.front().object), i);
    if (i == trace.events.size()) break;
    frame.nodes.push_back(node_of(trace.events[i], number_of(trace.events[i].object)));
    causality.add(i);
  }
  const Clock* last = frame.row(static_cast<Position>(trace.events.size() - 1));
  const Clock* all = causality.past(failed);
  return !std::equal(all, all + frame.width, last, [](Clock one, Clock other) { return one <= other; });
}

/// Whether the next event of a thread is nowhere before the end: in the graphs that it is derived from, it was
/// somewhere.
bool Dpor::is_excluded(const Ending& end, ThreadId thread) {
  return end.node.thread == thread || (end.stuck & thread_bit(thread)) != 0 ||
         (end.node.overtaken == thread && end.node.effect == Effect::write);
}

/// Whether a thread may move before an end that is in the graph for a reason, so that the end stays what it is.
bool Dpor::may_move(ThreadId thread, const Upcoming& upcoming, std::span<const Event> events) const {
  const auto& end = top().end;
  if (!end) return true;
  if (is_excluded(*end, thread)) return false;
  const auto number = numbers_.find(upcoming.object);
  if (number == numbers_.end() || number->second != end->node.object) return true;
  const auto only_reads = [&](std::uint64_t state) {
    const Foreseen foreseen = foresee(upcoming.op, upcoming.argument, thread, state);
    return foreseen == Foreseen::reads || (foreseen == Foreseen::shares && end->node.shares);
  };
  if (knows_state(end->node.op)) return only_reads(end->node.before);
  if (top().is_too_late(thread, next_index(thread, events))) return false;
  return only_reads(upcoming.argument) || only_reads(upcoming.argument + 1);
}

/// Whether something came before the end that the end would not be the same after. That is known only now if the end
/// does not know the state of its object. Then the run is done again without it.
bool Dpor::disturbs_end(Frame& frame, const Trace& trace) {
  if (!frame.end || knows_state(frame.end->node.op)) return false;
  for (Position i = frame.pinned(); i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    const bool on_object = number_of(event.object) == frame.end->node.object;
    if (!on_object || event.effect != Effect::write || event.thread == frame.end->node.thread) continue;
    const std::uint32_t index = next_index(event.thread, trace.events.first(i));
    frame.retry = redundant_ = !frame.is_too_late(event.thread, index);
    frame.too_late.emplace_back(event.thread, index);
    return frame.retry;
  }
  return false;
}

/// The next event of `thread` after `events`, if it is one that has ended a run.
const Ending* Dpor::next_ending(ThreadId thread, std::span<const Event> events) const {
  for (const Ending& one : top().endings)
    if (one.node.thread == thread && one.node.index == next_index(thread, events)) return &one;
  return nullptr;
}

/// Whether nothing has happened that could have changed how an event turns out that ended the run.
bool Dpor::still_ends(const Ending& ending, std::span<const Event> events) {
  if (ending.since > events.size()) return false;
  const auto writes_it = [&ending](const Event& event) {
    return event.effect == Effect::write && event.object == ending.node.address;
  };
  return std::none_of(events.begin() + ending.since, events.end(), writes_it);
}

/// A read that was placed earlier ended the run there. What comes after it cannot be in the graph; so if it is there
/// for a reason, this is a graph that another run comes to without it.
bool Dpor::end_at_placed(Frame& frame, const Trace& trace) {
  const auto length = static_cast<Position>(trace.events.size());
  const auto chosen_later = [length](Position i) { return i >= length; };
  redundant_ = !ended_early(trace) || frame.end || std::any_of(frame.chosen.begin(), frame.chosen.end(), chosen_later);
  if (redundant_) return false;
  frame.end.emplace();
  frame.end->node = frame.nodes[length - 1];
  for (Position i = length; i < frame.nodes.size(); ++i) frame.end->stuck |= thread_bit(frame.nodes[i].thread);
  frame.nodes.resize(length - 1);
  frame.chosen.erase(std::remove(frame.chosen.begin(), frame.chosen.end(), length - 1), frame.chosen.end());
  frame.given = length - 1;
  return true;
}

/// The event that the graph was derived for ends the run. If another end is in the graph for a reason, it cannot be.
bool Dpor::end_at_forced(Frame& frame, const Event& event, std::span<const Choice> enabled) {
  add_node(frame, event, enabled);
  const Node node = frame.nodes.back();
  frame.nodes.pop_back();
  frame.chosen.pop_back();
  frame.forced = no_thread;
  redundant_ = frame.end.has_value();
  if (redundant_) return false;
  frame.end.emplace();
  frame.end->node = node;
  return true;
}

/// The run came to an event that ends it, by itself.
Ending& Dpor::note_ending(Frame& frame, const Event& event, std::span<const Choice> enabled) {
  const std::uint32_t index = causality_.count(event.thread) + 1;
  const auto is_it = [&](const Ending& one) { return one.node.thread == event.thread && one.node.index == index; };
  auto ending = std::find_if(frame.endings.begin(), frame.endings.end(), is_it);
  if (ending == frame.endings.end()) ending = frame.endings.emplace(ending);
  ending->node = node_of(event);
  ending->node.index = index;
  // Whatever was there was added before.
  ending->node.stamp = UINT32_MAX;
  ending->since = static_cast<Position>(frame.nodes.size());
  note_alternatives(*ending, enabled);
  return *ending;
}

void Dpor::note_alternatives(Ending& ending, std::span<const Choice> enabled) {
  ending.alternatives.clear();
  for (const Choice& choice : enabled)
    if (choice.thread == ending.node.thread && choice.alternative != ending.node.alternative)
      ending.alternatives.push_back(choice.alternative);
}

/// A run ended with an event that is not among the nodes. Others go as far as they can before it; then all that the
/// end does not need may be left out.
void Dpor::learn_end(Frame& frame, const Trace& trace, std::span<const Choice> enabled, std::span<const Link> links,
                     bool again) {
  const Event& event = trace.events.back();
  const bool nobody_moved = again && frame.nodes.size() == frame.given;
  if (frame.forced != no_thread && frame.nodes.size() == frame.given && !end_at_forced(frame, event, enabled)) return;
  const bool is_chosen = frame.end && frame.end->node.thread == event.thread;
  const Ending* known = next_ending(event.thread, trace.events.first(frame.nodes.size()));
  const bool was_known = is_chosen || (known != nullptr && known->since == frame.nodes.size());
  Ending& ending = is_chosen ? *frame.end : note_ending(frame, event, enabled);
  ending.node.index = causality_.count(event.thread) + 1;
  ending.node.before = event.before;
  redundant_ = (frame.end && !is_chosen) || was_seen(frame, ending.node);
  const auto length = static_cast<Position>(frame.nodes.size());
  if (!redundant_) frame.seen.push_back({event.thread, event.alternative, ending.node.index, frame.next_stamp, length});
  frame.again = !(nobody_moved && was_known) && others_can_move(trace, enabled, links);
  // Since it was known to end the run, messages may have come that it could receive instead.
  for (Ending& one : frame.endings)
    if (can_move(one.node.thread, enabled)) note_alternatives(one, enabled);
  if (!frame.again) find_for_waiting(trace, links);
  for (Ending& one : frame.endings) one.out_of_turn = was_out_of_turn(one.node.thread, one.node.op, one.node.address);
  know_causes(frame, ending, links, trace.outcome->thread);
  if (!frame.again) return find_ends(frame, trace);
  frame.given = static_cast<Position>(frame.nodes.size());
  frame.forced = no_thread;
}

/// What an event that ends the run needs: all that was known when it did.
void Dpor::know_causes(Frame& frame, Ending& ending, std::span<const Link> links, ThreadId failed) {
  const auto i = static_cast<Position>(frame.nodes.size());
  frame.nodes.push_back(ending.node);
  causality_.add(i);
  for (const Link& link : links) follow(link, i + 1, false);
  causality_.know_at(i, failed);
  ending.row.assign(frame.row(i), frame.row(i) + frame.width);
  frame.nodes.pop_back();
  frame.rows.resize(std::size_t{i} * frame.width);
}

/// Whether somebody else could have moved before the run ended. `enabled`: who could do anything then, if known.
bool Dpor::others_can_move(const Trace& trace, std::span<const Choice> enabled, std::span<const Link> links) {
  const auto events = trace.events.first(trace.events.size() - 1);
  return std::any_of(trace.pending.begin(), trace.pending.end(), [&](const Pending& pending) {
    if (pending.thread == trace.events.back().thread || is_let_go(pending.thread, links)) return false;
    if (enabled.empty() ? !pending.enabled : !can_move(pending.thread, enabled)) return false;
    if (!may_move(pending.thread, upcoming_of(pending), events) || top().is_held(pending.thread, events)) return false;
    if (was_out_of_turn(pending.thread, pending.op, pending.object)) return false;
    const Ending* ending = next_ending(pending.thread, events);
    return ending == nullptr || !still_ends(*ending, events);
  });
}

/// What threads that did not move could have done elsewhere, and what ended the run by itself.
void Dpor::find_for_waiting(const Trace& trace, std::span<const Link> links) {
  const Event& last = trace.events.back();
  const auto events = trace.events.first(trace.events.size() - 1);
  for (const Pending& pending : trace.pending) {
    if (pending.thread == last.thread || is_let_go(pending.thread, links)) continue;
    if (top().end && is_excluded(*top().end, pending.thread)) continue;
    find_for(pending, next_ending(pending.thread, events));
  }
  const Ending* ending = next_ending(last.thread, events);
  if (!top().end || top().end->node.thread != last.thread)
    find_for({last.thread, last.op, last.object, last.argument, true}, ending);
}

/// The run could end in several ways, unless one of them is there for a reason.
void Dpor::find_ends(Frame& frame, const Trace& trace) {
  const auto events = trace.events.first(frame.nodes.size());
  if (frame.end) frame.ends.push_back(*frame.end);
  for (const Ending& one : frame.endings)
    if (!frame.end && next_ending(one.node.thread, events) == &one && still_ends(one, events) && !one.out_of_turn)
      frame.ends.push_back(one);
  for (std::uint32_t i = 0; i < frame.ends.size(); ++i) {
    frame.ends[i].row.resize(frame.width);
    find_cuts(frame, static_cast<Position>(frame.nodes.size()), i);
    frame.children.push_back(
        {Child::Kind::cut, frame.ends[i].node.thread, 0, false, i, nowhere, no_row, frame.next_stamp});
  }
}

/// The last events before an end may be left out, if nothing else depends on them.
void Dpor::find_cuts(Frame& frame, Position before, std::uint32_t end) {
  for (Position i = 0; i < before; ++i)
    if (!(frame.is_cut && frame.removed[i]) && can_be_cut(frame, i, frame.ends[end]))
      frame.children.push_back({Child::Kind::cut, frame.ends[end].node.thread, 0, false, end, i, no_row, 0});
}

/// As for whatever is dropped when an event revisits another: what is left must tell where it came from.
bool Dpor::can_be_cut(const Frame& frame, Position i, const Ending& end) {
  const Node& node = frame.nodes[i];
  if (node.chosen || knows(end.row.data(), node)) return false;
  if (begin_of_step(frame, i) != i) return false;
  const Position next = end_of_step(frame, i);
  for (Position part = i; part < next; ++part)
    if (!is_last(frame, part, next, end)) return false;
  return true;
}

/// Whether nothing depends on a node that is still there from `next` on.
bool Dpor::is_last(const Frame& frame, Position i, Position next, const Ending& end) {
  const Node& node = frame.nodes[i];
  if (end.node.object == node.object && end.node.effect == Effect::write && node.stamp < end.node.stamp) return false;
  for (Position j = next; j < frame.nodes.size(); ++j) {
    const Node& later = frame.nodes[j];
    if (frame.is_cut && frame.removed[j]) continue;
    if (knows(frame.row(j), node) || (later.object == node.object && later.effect == Effect::write)) return false;
  }
  return true;
}

/// What is left may be what was run when it became known that the event ends the run.
bool Dpor::was_seen(const Frame& frame, const Node& end) {
  return std::any_of(frame.seen.begin(), frame.seen.end(), [&](const SeenEnd& one) {
    if (one.thread != end.thread || one.index != end.index || one.alternative != end.alternative) return false;
    Position left = 0;
    for (Position i = 0; i < frame.nodes.size(); ++i) {
      if (frame.is_cut && frame.removed[i]) continue;
      if (frame.nodes[i].stamp >= one.stamp) return false;
      ++left;
    }
    return left == one.length;
  });
}

/// An end that is there for a reason stays. What else has ended a run will probably do so again.
void Dpor::keep_endings(const Frame& from, const Child& child, Frame& to) {
  if (from.end && from.end->node.stamp < child.stamp) to.end = from.end;
  if (to.end) to.next_stamp = std::max(to.next_stamp, to.end->node.stamp + 1);
  to.endings = from.endings;
  for (Ending& one : to.endings) one.since = nowhere;
  const std::uint32_t until = child.kind == Child::Kind::revisit ? from.nodes[child.target].stamp : child.stamp;
  for (const SeenEnd& one : from.seen) {
    if (one.stamp > until) continue;
    to.seen.push_back(one);
    to.next_stamp = std::max(to.next_stamp, one.stamp);
  }
}

}  // namespace norn::dpor
