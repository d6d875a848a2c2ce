#include "explore/dpor/readers.hpp"

#include <algorithm>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {
namespace {

/// Whether a reader came to overtake a writer.
bool overtook(const Node& node) { return node.shares && node.overtaken != no_thread; }

}  // namespace

bool is_out_of_turn(const Frame& frame, const std::optional<Ending>& end, const Reader& reader) {
  const auto is_since_write = [&](Position i) { return i != nowhere && frame.nodes[i].effect != Effect::write; };
  std::uint32_t known = 0;
  for (Position i = reader.last; is_since_write(i); i = frame.nodes[i].previous)
    if (knows(reader.past, frame.nodes[i])) known = std::max(known, frame.nodes[i].stamp);
  const auto comes_first = [&](const Node& node) {
    return overtook(node) && node.thread > reader.thread && node.stamp > known;
  };
  for (Position i = reader.last; is_since_write(i); i = frame.nodes[i].previous)
    if (comes_first(frame.nodes[i])) return true;
  return end && end->node.object == reader.object && comes_first(end->node);
}

void Overtakers::follow(const Frame& frame, std::span<const Event> events) {
  for (; known_ < events.size(); ++known_) {
    const Event& event = events[known_];
    const bool is_forced = known_ == frame.given && frame.forced != no_thread && frame.overtaken != no_thread;
    const bool is_one = known_ < frame.given ? overtook(frame.nodes[known_])
                                             : is_forced && shares(event.op, event.effect, event.before);
    if (event.effect == Effect::write) {
      std::erase_if(readers_, [&](const auto& one) { return one.first == event.object; });
    } else if (is_one) {
      readers_.emplace_back(event.object, event.thread);
    }
  }
}

bool Overtakers::any_after(ThreadId thread, const void* object) const {
  return std::any_of(readers_.begin(), readers_.end(),
                     [&](const auto& one) { return one.first == object && one.second > thread; });
}

/// Whether a thread is about to become a reader where one of a later thread has overtaken a writer. It may be out of
/// turn then; it is not if it knows a reader that came since.
bool Dpor::may_be_out_of_turn(ThreadId thread, Op op, const void* object, const Overtakers& overtakers) const {
  if (!is_reader(op)) return false;
  const auto& end = top().end;
  const bool end_overtook = end && end->node.address == object && overtook(end->node) && end->node.thread > thread;
  return end_overtook || overtakers.any_after(thread, object);
}

/// The same of what it does next in the run at hand.
bool Dpor::may_be_out_of_turn(ThreadId thread, const ThreadsView& threads) {
  if (!has_readers_) return false;
  overtakers_.follow(top(), threads.events());
  const Upcoming upcoming = threads.upcoming(thread);
  return may_be_out_of_turn(thread, upcoming.op, upcoming.object, overtakers_);
}

/// The same for certain.
bool Dpor::is_out_of_turn_now(ThreadId thread, const ThreadsView& threads) {
  if (!may_be_out_of_turn(thread, threads)) return false;
  look_at_run(threads.events(), threads.links());
  const std::uint32_t object = number_of(threads.upcoming(thread).object);
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
    if (may_be_out_of_turn(thread, *at.threads)) {
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
  if (!has_readers_) return false;
  const auto may_go = [](const Pending& one) { return one.enabled; };
  Overtakers overtakers;
  overtakers.follow(top(), trace.events);
  const auto is_early = [&](const Pending& one) {
    return !one.enabled || may_be_out_of_turn(one.thread, one.op, one.object, overtakers);
  };
  return std::any_of(trace.pending.begin(), trace.pending.end(), may_go) &&
         std::all_of(trace.pending.begin(), trace.pending.end(), is_early);
}

}  // namespace norn::dpor
