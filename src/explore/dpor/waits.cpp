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
    pending = {pending.thread, last.op, last.object, last.argument, false, last.whereabouts};
    const std::size_t end = last_rounds_.size();
    while (i-- > pinned) {
      if (trace.events[i].thread != pending.thread) continue;
      if (!trace.events[i].in_vain || trace.events[i].ends_round) break;
      last_rounds_.insert(last_rounds_.begin() + static_cast<std::ptrdiff_t>(end), trace.events[i]);
    }
  }
}

/// What was in vain will be so again.
void Dpor::learn_rounds(const Trace& trace) {
  const auto in_vain = [](const Event& event) { return event.in_vain; };
  if (!knows_loops_ || std::none_of(trace.events.begin(), trace.events.end(), in_vain)) return;
  histories_.begin(width_of(trace));
  in_rounds_.assign(width_of(trace), 0);
  rounds_.assign(width_of(trace), {});
  auto links = trace.links;
  for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) follow_history(links.front());
    const Event& event = trace.events[i];
    const std::uint32_t object = number_of(event.object);
    if (!event.in_vain) {
      histories_.add(event, object);
      continue;
    }
    std::uint64_t& history = in_rounds_[event.thread];
    if (history == 0) history = histories_.of(event.thread);
    foresight_.add_place(event.site, event.object);
    foresight_.will_look(history, event.op, event.alternative, object);
    history = Histories::after(history, event.op, event.alternative, object, histories_.seen_on(object));
    if (event.ends_round) foresight_.was_in_vain(std::exchange(history, 0));
    Round& round = rounds_[event.thread];
    if (!round.is_empty()) foresight_.will_look(round, event.whereabouts, object);
    round.look(event.whereabouts, event.before);
    if (event.ends_round) foresight_.was_round(std::exchange(round, {}));
  }
}

void Dpor::follow_history(const Link& link) {
  switch (link.kind) {
    case LinkKind::created: return histories_.created(link.thread, link.other);
    case LinkKind::joined:
    case LinkKind::met: return histories_.joined(link.thread, link.other);
    case LinkKind::released: return histories_.released(link.thread, number_of(link.object));
    case LinkKind::woke: return histories_.joined(link.other, link.thread);
    case LinkKind::sent:
    case LinkKind::unordered:
    case LinkKind::grouped:
    case LinkKind::deposited:
    case LinkKind::withdrew:
    case LinkKind::opened: return;  // see why_unsuitable
  }
}

Ahead Dpor::ahead_of(const Trace& trace) const {
  if (!knows_loops_ || trace.events.empty()) return {};
  Ahead ahead{&foresight_, &histories_, &causality_, trace.events.back().thread, nowhere};
  if (trace.end() != End::finished || ended_early(trace)) return ahead;
  for (Position i = 0; i < trace.events.size(); ++i)
    if (trace.events[i].thread != ahead.last) ahead.last_of_others = i;
  return ahead;
}

/// Whether the graph has a whole round in vain: then it is none.
bool Dpor::waits_in_prefix(std::span<const Event> events) const {
  const auto ends_round = [](const Event& event) { return event.ends_round; };
  return std::any_of(events.begin(), events.begin() + top().pinned(), ends_round);
}

/// Where loops that wait are known. The more rounds in vain are seen, the fewer runs are given up: so whoever is in
/// such a loop looks first, and whoever may change what is looked at there waits until the others have come so far. But
/// who is in the middle of a round that began with events of the graph waits for everybody.
std::size_t Dpor::choose_among_waiting(const FreeChoice& at) const {
  const auto events = at.threads->events();
  if (went_round_in_given(events)) return give_up;
  enum Rank { looks, moves, changes, goes_on, nobody };
  const auto rank_of = [&](const Choice& choice) {
    const Upcoming upcoming = at.threads->upcoming(choice.thread);
    if (choice.alternative != 0 || !foresight_.is_looked_at(upcoming.object)) return moves;
    if (!foresight_.is_place(upcoming.site, upcoming.object)) return changes;
    return is_in_given_round(choice.thread, events) ? goes_on : looks;
  };
  Rank best = nobody;
  std::size_t index = give_up;
  for (std::size_t i = 0; i < at.enabled.size(); ++i) {
    const Rank rank = rank_of(at.enabled[i]);
    const bool stays = at.enabled[i].thread == at.last && (index == give_up || at.enabled[index].thread != at.last);
    if (rank > best || (rank == best && !stays)) continue;
    best = rank;
    index = i;
  }
  return index;
}

/// Whether the last event of a thread is one of the graph, and one of a loop that waits.
bool Dpor::is_in_given_round(ThreadId thread, std::span<const Event> events) const {
  for (std::size_t i = events.size(); i-- > 0;)
    if (events[i].thread == thread)
      return i < top().pinned() && !events[i].ends_round && foresight_.is_place(events[i].site, events[i].object);
  return false;
}

/// Whether the last event ends a round in vain that began with events of the graph.
bool Dpor::went_round_in_given(std::span<const Event> events) const {
  return !events.empty() && went_round_in_given(events.back().thread, events);
}

/// The same for the last event of a thread.
bool Dpor::went_round_in_given(ThreadId thread, std::span<const Event> events) const {
  bool is_last = true;
  for (std::size_t i = events.size(); i-- > 0;) {
    if (events[i].thread != thread) continue;
    if (!events[i].in_vain || events[i].ends_round != std::exchange(is_last, false)) return false;
    if (i < top().pinned()) return true;
  }
  return false;
}

/// The first rounds that threads went in vain with events that the graph has.
std::vector<Hold> Dpor::rounds_in_vain(const Frame& frame, const Trace& trace) {
  std::vector<Hold> rounds;
  const auto pinned = std::min(static_cast<Position>(trace.events.size()), frame.pinned());
  for (Position first = 0; first < pinned; ++first) {
    const auto is_its = [&](const Hold& round) { return round.thread == trace.events[first].thread; };
    if (!trace.events[first].in_vain || std::any_of(rounds.begin(), rounds.end(), is_its) ||
        ends_waiting(frame, trace, trace.events[first].thread))
      continue;
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
    rounds.push_back(std::move(hold));
  }
  return rounds;
}

/// Whether the thread had waited in the middle of the round until nobody could move but those that went such a round:
/// then there is no need to hold it.
bool Dpor::was_held(const Frame& frame, const Trace& trace, const Hold& hold, std::span<const Hold> rounds) {
  const bool nobody_moves = trace.end() == End::repeats || trace.end() == End::livelock;
  if (hold.objects.empty() || !nobody_moves || hold.from < trace.prefix) return false;
  const auto goes_round = [&rounds](const auto& one) {
    return std::any_of(rounds.begin(), rounds.end(), [&one](const Hold& round) { return round.thread == one.thread; });
  };
  const auto events = trace.events.subspan(hold.from);
  auto choices = trace.choices;
  for (Position i = trace.prefix; i < hold.from; ++i) choices = choices.subspan(trace.events[i].enabled);
  choices = choices.first(trace.events[hold.from].enabled);
  const auto is_it = [&hold](const Hold& other) { return other.thread == hold.thread; };
  const bool is_held = std::any_of(frame.holds.begin(), frame.holds.end(), is_it);
  return std::all_of(events.begin(), events.end(), goes_round) &&
         std::all_of(choices.begin(), choices.end(), goes_round) && (is_held || !hold.is_up_to_date(trace.events));
}

const Trace& HeldRun::until(const Trace& trace, std::span<const Hold> rounds) {
  events_.clear();
  choices_.clear();
  links_.clear();
  pending_.assign(trace.pending.begin(), trace.pending.end());
  ended_.assign(rounds.size(), false);
  auto choices = trace.choices;
  auto links = trace.links;
  bool is_kept = true;
  for (Position i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) {
      if (!is_kept) continue;
      links_.push_back(links.front());
      links_.back().step = static_cast<std::uint32_t>(events_.size());
    }
    if (i == trace.events.size()) break;
    const auto enabled = choices.first(i < trace.prefix ? 0 : trace.events[i].enabled);
    choices = choices.subspan(enabled.size());
    is_kept = keep(i, trace.events[i], rounds);
    if (!is_kept) continue;
    events_.back().enabled = static_cast<std::uint16_t>(enabled.size());
    choices_.insert(choices_.end(), enabled.begin(), enabled.end());
  }
  trace_ = trace;
  trace_.events = events_;
  trace_.choices = choices_;
  trace_.links = links_;
  trace_.pending = pending_;
  return trace_;
}

/// False for the last event of one of the rounds, which its thread is about to do instead, and for what it did later.
bool HeldRun::keep(Position i, const Event& event, std::span<const Hold> rounds) {
  const auto is_its = [&](const Hold& round) {
    return round.thread == event.thread && (i >= round.from || round.has_looked(i));
  };
  const auto round = std::find_if(rounds.begin(), rounds.end(), is_its);
  const auto nth = static_cast<std::size_t>(round - rounds.begin());
  if (round != rounds.end() && event.ends_round && !ended_[nth]) {
    ended_[nth] = true;
    for (Pending& one : pending_)
      if (one.thread == event.thread)
        one = {event.thread, event.op, event.object, event.argument, true, event.whereabouts};
  }
  if (round != rounds.end() && ended_[nth]) return false;
  events_.push_back(event);
  events_.back().in_vain &= round == rounds.end();
  return true;
}

/// Whether a thread that was held was let go because everybody waits, and saw nothing new.
bool Dpor::ends_waiting(const Frame& frame, const Trace& trace, ThreadId thread) {
  const auto is_it = [thread](const Pending& one) { return one.thread == thread; };
  const auto looks_again = [&](const Hold& hold) {
    return hold.thread == thread && (hold.looked.empty() || hold.is_up_to_date(trace.events));
  };
  return trace.end() == End::livelock && std::any_of(frame.holds.begin(), frame.holds.end(), looks_again) &&
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

/// The run is done again, and the thread waits. (If the graph has all of a round in vain, there is no such run.)
void Dpor::hold(Frame& frame, Hold hold) {
  redundant_ = true;
  if (hold.objects.empty()) return;
  const auto is_same = [&hold](const Hold& other) { return other.thread == hold.thread; };
  const auto known = std::find_if(frame.holds.begin(), frame.holds.end(), is_same);
  if (known != frame.holds.end() && known->from == hold.from && known->objects == hold.objects) {
    // It was told to wait and did not. One more run, so that somebody asks why it is unsuitable.
    frame.retry = !std::exchange(is_lost_, true);
    return;
  }
  frame.holds.erase(std::remove_if(frame.holds.begin(), frame.holds.end(), is_same), frame.holds.end());
  frame.holds.push_back(std::move(hold));
  frame.retry = true;
}

/// Whether it has turned out since it was derived that a thread goes round in vain in it.
bool Dpor::is_in_vain(const Frame& from, const Child& child) const {
  if (child.history != 0 && foresight_.is_in_vain(child.history)) return true;
  return child.whereabouts != 0 && any_round(from, child.length, child.thread, child.whereabouts, child.sees,
                                             [this](const Round& round) { return foresight_.is_round(round); });
}

}  // namespace norn::dpor
