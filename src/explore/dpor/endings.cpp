// Runs that end while threads are still there: whatever ends a run comes last, and all that could have come before it
// is one behaviour each.

#include <algorithm>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {

namespace {

std::uint64_t thread_bit(ThreadId thread) { return thread < 64 ? std::uint64_t{1} << thread : 0; }

}  // namespace

/// Whether a thread may move while some events are held back because they end the run.
bool Dpor::may_move(ThreadId thread, const Upcoming& upcoming) const {
  const auto number = numbers_.find(upcoming.object);
  for (const Node& end : top().endings) {
    if (end.thread == thread || (end.stuck & thread_bit(thread)) != 0) return false;
    if (number == numbers_.end() || number->second != end.object) continue;
    if (end.overtaken == thread && end.effect == Effect::write) return false;
    const Foreseen foreseen = foresee(upcoming.op, upcoming.argument, thread, end.before);
    if (foreseen != Foreseen::reads) return false;
  }
  return true;
}

/// A read that was placed earlier ended the run there. What comes after it cannot be in the graph; so if it is there
/// for a reason, this is a graph that another run comes to without it.
bool Dpor::end_at_placed(Frame& frame, const Trace& trace) {
  const auto length = static_cast<Position>(trace.events.size());
  const auto chosen_later = [length](Position i) { return i >= length; };
  redundant_ = is_cut(trace.end()) || std::any_of(frame.chosen.begin(), frame.chosen.end(), chosen_later);
  if (redundant_) return false;
  std::uint64_t stuck = 0;
  for (Position i = length; i < frame.nodes.size(); ++i) stuck |= thread_bit(frame.nodes[i].thread);
  frame.nodes.resize(length);
  frame.nodes.back().stuck = stuck;
  frame.given = length;
  return true;
}

/// A thread ended the run while others were there.
bool Dpor::ended_early(const Trace& trace) {
  const End end = trace.end();
  const bool nobody_could_move = end == End::deadlock || end == End::livelock;
  if (nobody_could_move || end == End::repeats || is_cut(end) || trace.events.empty()) return false;
  // Otherwise the main thread has waited for all the others.
  return !trace.pending.empty() || end != End::finished || trace.events.back().op == Op::process_exit;
}

/// If the event is one that was held back, it is in the graph already.
bool Dpor::add_ending(Frame& frame, const Event& event) {
  const auto is_it = [&event](const Node& node) { return node.thread == event.thread; };
  const auto end = std::find_if(frame.endings.begin(), frame.endings.end(), is_it);
  if (end == frame.endings.end()) return false;
  if (end->chosen) frame.chosen.push_back(static_cast<Position>(frame.nodes.size()));
  frame.nodes.push_back(*end);
  return true;
}

/// Takes the event that ended the run out of the linearization, unless it was held back to the end before.
void Dpor::hold_back_end(Frame& frame) {
  Node& last = frame.nodes.back();
  if (last.ends) return;
  last.ends = true;
  frame.endings.push_back(last);
}

/// Whether somebody else could have moved before the run ended, so that the end would be the same.
bool Dpor::others_can_move(const Trace& trace) {
  Frame& frame = top();
  const auto can_move = [&](const Pending& pending) {
    return pending.enabled && may_move(pending.thread, {pending.op, pending.object, nullptr, pending.argument});
  };
  if (std::none_of(trace.pending.begin(), trace.pending.end(), can_move)) return false;
  if (!frame.chosen.empty() && frame.chosen.back() == frame.nodes.size() - 1) frame.chosen.pop_back();
  frame.nodes.pop_back();
  return true;
}

/// Events that end the run and did not happen because another one did.
void Dpor::add_other_endings(Frame& frame) {
  for (const Node& end : frame.endings) {
    const auto is_it = [&end](const Node& node) { return node.ends && node.thread == end.thread; };
    if (std::any_of(frame.nodes.begin(), frame.nodes.end(), is_it)) continue;
    const auto i = static_cast<Position>(frame.nodes.size());
    if (end.chosen) frame.chosen.push_back(i);
    frame.nodes.push_back(end);
    causality_.add(i);
  }
}

/// The last events before an end may be left out, if nothing else depends on them.
void Dpor::find_cuts(Frame& frame, Position before, Position ending) {
  for (Position i = 0; i < before && i < frame.nodes.size(); ++i)
    if (can_be_cut(frame, i, ending))
      frame.children.push_back({Child::Kind::cut, frame.nodes[ending].thread, 0, false, ending, i, no_row, 0});
}

bool Dpor::can_be_cut(const Frame& frame, Position i, Position ending) {
  const Node& node = frame.nodes[i];
  if (node.chosen || node.ends || knows(frame.row(ending), node)) return false;
  if (begin_of_step(frame, i) != i) return false;
  const Position next = end_of_step(frame, i);
  for (Position part = i; part < next; ++part)
    if (!is_last(frame, part, next, ending)) return false;
  return true;
}

/// Whether nothing depends on a node that is still there from `next` on.
bool Dpor::is_last(const Frame& frame, Position i, Position next, Position ending) {
  const Node& node = frame.nodes[i];
  for (Position j = next; j < frame.nodes.size(); ++j) {
    const Node& later = frame.nodes[j];
    const bool writes_it = later.object == node.object && later.effect == Effect::write;
    if (j == ending) {
      if (writes_it && node.stamp < later.stamp) return false;
      continue;
    }
    if (later.ends || (frame.is_cut && frame.removed[j])) continue;
    if (knows(frame.row(j), node) || writes_it) return false;
  }
  return true;
}

/// What is left may be what was run when it became known that the event ends the run.
bool Dpor::was_seen_early(const Frame& frame) {
  const std::uint32_t stamp = frame.nodes[frame.ending].stamp;
  bool others = false;
  for (Position i = 0; i < frame.nodes.size(); ++i) {
    if (frame.nodes[i].ends) continue;
    if (frame.removed[i] != (frame.nodes[i].stamp > stamp)) return false;
    others = true;
  }
  return others;
}

/// Events that end the run are the last of all linearizations, whenever they were added.
void Dpor::keep_endings(const Frame& from, Position length, std::uint32_t until, Frame& to) {
  for (Position i = length; i < from.nodes.size(); ++i)
    if (from.nodes[i].ends && from.nodes[i].stamp < until) append(to, from.nodes[i]);
}

}  // namespace norn::dpor
