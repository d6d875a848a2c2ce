// With a bound on preemptions: only behaviours that a run with so many can show.
//
// All behaviours are derived as without a bound, and those that need more preemptions are not reported. Whole families
// of them are not derived at all: what was chosen to be as it is, placed, revisiting or another alternative, stays in
// all graphs that are derived from a graph (see Races::latest_choice_unknown_to), and so do its causes, in the same
// order; nothing is added to the causes of an event that stays. So every run of these graphs contains a linearization
// of the chosen events and their causes. If all of those have too many preemptions already, counted where a thread
// could certainly go on to its next event among them, then so has every run. It is also certain what threads do next
// after these events, if not when; but no write gets before a chosen event, or a cause of one, on the same object: it
// would have to revisit that event, or one that it depends on.

#include <algorithm>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {

/// Runs of which it cannot be said how many preemptions their behaviour needs are beyond it too: the verdict says so.
bool Dpor::is_beyond_bound(const Trace& trace) {
  is_read_ = is_beyond_ = false;
  if (!bound_) return false;
  unbounded_ = why_unbounded(trace);
  if (!why_unsuitable(trace).empty()) return true;
  if (is_cut(trace.end()) || trace.end() == End::repeats) return false;
  linearizations_.read(trace, ended_early(trace));
  if (linearizations_.takes_over_locks()) unbounded_ = "a thread takes a lock from one that ended";
  if (!unbounded_.empty()) return true;
  is_read_ = true;
  if (linearizations_.within(*bound_)) return false;
  return left_out_ = is_beyond_ = true;
}

/// Why the number of preemptions that a behaviour needs is not known.
std::string_view Dpor::why_unbounded(const Trace& trace) {
  const auto waits = [](const Event& event) {
    const bool wakes = event.op == Op::condition_signal || event.op == Op::address_wake;
    return event.in_vain || (event.alternative == time_passes && !wakes);
  };
  if (std::any_of(trace.events.begin(), trace.events.end(), waits) || trace.end() == End::livelock)
    return "the preemptions of threads that wait in loops are not counted";
  // Some leave no event when they wait for ever.
  const auto is_construct = [](const auto& one) { return one.op >= Op::monitor_enter && one.op <= Op::park; };
  if (std::any_of(trace.events.begin(), trace.events.end(), is_construct) ||
      std::any_of(trace.pending.begin(), trace.pending.end(), is_construct))
    return "the preemptions of threads that receive messages or enter monitors are not counted";
  if (trace.end() == End::property) return "a property ends runs wherever it does not hold";
  return {};
}

/// Drops the graphs derived last, from number `first` on, if nothing derived from them is within the bound.
void Dpor::keep_bound(Frame& frame, std::size_t first) {
  if (!bound_ || !is_read_) return;
  const auto begin = frame.children.begin() + static_cast<std::ptrdiff_t>(first);
  const auto rest =
      std::remove_if(begin, frame.children.end(), [&](const Child& child) { return exceeds_bound(frame, child); });
  left_out_ |= rest != frame.children.end();
  frame.children.erase(rest, frame.children.end());
}

bool Dpor::exceeds_bound(const Frame& frame, const Child& child) {
  // What ends a run comes last, whenever it was added, and may be cut again: that is another matter.
  if (child.kind == Child::Kind::cut || frame.end || !frame.ends.empty() || !frame.endings.empty()) return false;
  part_.assign(frame.width, 0);
  for (const Position i : frame.chosen)
    if (i < child.length) join(part_, frame.row(i));
  if (child.kind == Child::Kind::alternative) {
    join(part_, frame.row(child.length));
    return !linearizations_.part_within(part_.data(), {child.thread}, *bound_);
  }
  Moved moved = moved_by(frame, child);
  join(part_, moved.needs);
  if (part_[moved.thread] >= moved.index) return false;
  part_[moved.thread] = moved.index;
  return !linearizations_.part_within(part_.data(), moved, *bound_);
}

/// The event that is placed or revisits. It needs what it needed where it happened, and the last write before its new
/// place.
Moved Dpor::moved_by(const Frame& frame, const Child& child) {
  const Clock* past = frame.past(child.needs);
  moved_needs_.assign(past, past + frame.width);
  for (Position i = child.target; i-- > 0;) {
    const Node& node = frame.nodes[i];
    if (node.object != child.object || node.effect != Effect::write) continue;
    join(moved_needs_, frame.row(i));
    if (child.kind == Child::Kind::revisit && node.release != no_row)
      join(moved_needs_, &frame.releases[std::size_t{node.release} * frame.width]);
    break;
  }
  Moved moved{child.thread, past[child.thread] + 1, child.expires, moved_needs_.data(), {}};
  if (child.kind == Child::Kind::revisit) return moved;
  Position write = child.target;
  while (write < child.length && frame.nodes[write].object != child.object) ++write;
  if (write < child.length) moved.before = {frame.nodes[write].thread, frame.nodes[write].index};
  return moved;
}

void Dpor::join(std::vector<Clock>& into, const Clock* from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace norn::dpor
