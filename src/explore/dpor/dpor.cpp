// Every Mazurkiewicz trace once.

#include "explore/dpor/dpor.hpp"

#include <algorithm>
#include <utility>

#include "explore/preemption.hpp"

namespace norn::dpor {

namespace {

std::uint64_t thread_bit(ThreadId thread) { return thread < 64 ? std::uint64_t{1} << thread : 0; }

}  // namespace

Frame& Dpor::push() {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.clear();
  return frame;
}

bool Dpor::next(Prefix& prefix) {
  if (!started_) {
    started_ = true;
    push();
  } else if (!top().again && !advance()) {
    return false;
  }
  prefix.clear();
  const Frame& frame = top();
  for (Position i = 0; i < frame.nodes.size(); ++i)
    if (!frame.is_cut || !frame.removed[i]) prefix.push_back({frame.nodes[i].thread, frame.nodes[i].alternative});
  return true;
}

/// Goes to the next graph that is to be explored; false if there is none.
bool Dpor::advance() {
  while (true) {
    while (depth_ != 0 && top().children.empty()) --depth_;
    if (depth_ == 0) return false;
    const Child child = top().children.back();
    top().children.pop_back();
    push();
    derive(frames_[depth_ - 2], child);
    if (!top().is_cut) return true;
    find_cuts(top(), top().cut_at, top().ending);
    if (!was_seen_early(top())) return true;
  }
}

std::size_t Dpor::choose(const FreeChoice& at) {
  const Frame& frame = top();
  if (at.step == frame.given && frame.forced != no_thread) {
    for (std::size_t i = 0; i < at.enabled.size(); ++i)
      if (at.enabled[i].thread == frame.forced &&
          (frame.any_alternative || at.enabled[i].alternative == frame.forced_alternative))
        return i;
    return at.enabled.size();
  }
  return frame.endings.empty() ? without_preemption(at) : choose_before_end(at);
}

/// What ends the run comes last. Until then nobody may touch its object so that it would be different.
std::size_t Dpor::choose_before_end(const FreeChoice& at) const {
  const Frame& frame = top();
  std::size_t best = at.enabled.size();
  for (std::size_t i = 0; i < at.enabled.size(); ++i) {
    const ThreadId thread = at.enabled[i].thread;
    const bool goes_on = best != at.enabled.size() && (thread != at.last || at.enabled[best].thread == at.last);
    if (goes_on || !may_move(thread, at.threads->upcoming(thread))) continue;
    best = i;
  }
  for (std::size_t i = 0; i < at.enabled.size() && best == at.enabled.size(); ++i)
    if (at.enabled[i].thread == frame.endings.front().thread) best = i;
  return best;
}

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

std::uint32_t Dpor::number_of(const void* object) {
  return numbers_.try_emplace(object, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

/// How often a thread looks before it is known to spin depends on events that are independent of it, and several
/// operations in one step are no events of their own.
bool Dpor::suits(const Trace& trace) const {
  const auto is_step = [](const Event& event) { return event.op == Op::step_begin || event.op == Op::yield; };
  const bool went_round = trace.spun || trace.end() == End::repeats;
  return !went_round && trace.end() != End::diverged && std::none_of(trace.events.begin(), trace.events.end(), is_step);
}

void Dpor::learn(const Trace& trace) {
  Frame& frame = top();
  if (frame.is_cut) return;
  unsigned width = 1;
  for (const Link& link : trace.links)
    if (link.kind == LinkKind::created) width = std::max(width, link.other + 1U);
  for (const Event& event : trace.events) width = std::max(width, event.thread + 1U);
  frame.width = width;
  redundant_ = false;
  if (trace.events.size() < frame.nodes.size() && !end_at_placed(frame, trace)) return;
  const bool again = std::exchange(frame.again, false);
  causality_.begin(frame);
  races_.begin(frame, trace.releases_visible);
  auto choices = trace.choices;
  auto links = trace.links;
  const auto length = static_cast<Position>(trace.events.size());
  for (Position i = 0; i <= length; ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1))
      follow(links.front(), i, i > frame.given);
    if (i == length) break;
    const Event& event = trace.events[i];
    if (i >= frame.given) {
      if (!add_ending(frame, event)) add_node(frame, event, choices.first(event.enabled));
      choices = choices.subspan(event.enabled);
    } else {
      frame.nodes[i].before = event.before;
    }
    causality_.add(i);
  }
  if (ended_early(trace)) {
    redundant_ = again && frame.nodes.back().ends && frame.given + 1 == frame.nodes.size();
    hold_back_end(frame);
    causality_.know_at(static_cast<Position>(frame.nodes.size() - 1), trace.outcome->thread);
    if (!redundant_ && others_can_move(trace)) {
      frame.again = true;
      frame.given = static_cast<Position>(frame.nodes.size());
      frame.forced = no_thread;
      return;
    }
  }
  add_other_endings(frame);
  find_for_waiting(trace);
  for (Position i = 0; i < frame.nodes.size(); ++i) {
    if (!frame.nodes[i].ends) continue;
    find_cuts(frame, static_cast<Position>(frame.nodes.size()), i);
    // The run ended in one of several ways.
    if (frame.nodes[i].thread != trace.events.back().thread)
      frame.children.push_back(
          {Child::Kind::cut, frame.nodes[i].thread, 0, false, i, nowhere, no_row, frame.next_stamp});
  }
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
  if (nobody_could_move || is_cut(end) || trace.events.empty()) return false;
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

void Dpor::add_node(Frame& frame, const Event& event, std::span<const Choice> enabled) {
  const auto i = static_cast<Position>(frame.nodes.size());
  const std::uint32_t object = number_of(event.object);
  const Candidate candidate{event.thread, event.op, causality_.count(event.thread) + 1, object, event.argument};
  const bool forced = i == frame.given && frame.forced != no_thread;
  if (event.op == Op::condition_wait)
    before_wait_.assign(causality_.past(event.thread), causality_.past(event.thread) + frame.width);
  if (goes_on_a_step(frame, i, event.op, event.thread)) {
    if (!frame.nodes[i - 1].chosen)
      races_.find(candidate, i - 1, causality_.last_on(object), before_wait_.data(), event.before);
  } else if (!forced) {
    races_.find(candidate, i, causality_.last_on(object), causality_.past(event.thread), event.before);
  }
  bool first = true;
  bool chosen = forced;
  for (const Choice& choice : enabled) {
    if (choice.thread != event.thread) continue;
    if (choice.alternative != event.alternative && (!forced || frame.any_alternative))
      frame.children.push_back(
          {Child::Kind::alternative, event.thread, choice.alternative, false, i, nowhere, no_row, frame.next_stamp});
    if (choice.alternative == event.alternative && !first) chosen = true;
    first = false;
  }
  if (chosen) frame.chosen.push_back(i);
  frame.nodes.push_back({event.thread, event.alternative, event.op, event.effect,
                         shares(event.op, event.effect, event.before), false, chosen,
                         forced ? frame.overtaken : no_thread, frame.overtaken_index, 0, frame.next_stamp++, object,
                         nowhere, no_row, event.before, event.argument});
}

void Dpor::follow(const Link& link, Position length, bool is_new) {
  switch (link.kind) {
    case LinkKind::created: return causality_.created(link.thread, link.other);
    case LinkKind::joined: return causality_.joined(link.thread, link.other);
    case LinkKind::released: return causality_.released(link.thread, number_of(link.object));
    case LinkKind::woke: break;
  }
  const bool could_expire = link.op == Op::condition_timed_sleep || link.op == Op::address_timed_sleep;
  if (could_expire && is_new) {
    const std::uint32_t object = number_of(link.object);
    races_.find({link.other, link.op, causality_.count(link.other) + 1, object, 0, true}, length,
                causality_.last_on(object), causality_.past(link.other), 0);
  }
  causality_.woke(link.thread, link.other);
}

void Dpor::find_for_waiting(const Trace& trace) {
  const Frame& frame = top();
  for (const Pending& pending : trace.pending) {
    if (foresee(pending.op, pending.argument, pending.thread, 0) == Foreseen::blocked &&
        foresee(pending.op, pending.argument, pending.thread, 1) == Foreseen::blocked)
      continue;
    const std::uint32_t object = number_of(pending.object);
    races_.find({pending.thread, pending.op, causality_.count(pending.thread) + 1, object, pending.argument, true},
                static_cast<Position>(frame.nodes.size()), causality_.last_on(object), causality_.past(pending.thread),
                0);
  }
}

void Dpor::append(Frame& to, const Node& node) {
  to.next_stamp = std::max(to.next_stamp, node.stamp + 1);
  if (node.ends) return to.endings.push_back(node);
  if (node.chosen) to.chosen.push_back(static_cast<Position>(to.nodes.size()));
  to.nodes.push_back(node);
}

void Dpor::derive(const Frame& from, const Child& child) {
  Frame& to = top();
  switch (child.kind) {
    case Child::Kind::place: derive_placed(from, child, to); break;
    case Child::Kind::revisit: derive_revisit(from, child, to); break;
    case Child::Kind::alternative: derive_alternative(from, child, to); break;
    case Child::Kind::cut: return derive_cut(from, child, to);
  }
  to.given = static_cast<Position>(to.nodes.size());
  std::sort(to.chosen.begin(), to.chosen.end(),
            [&to](Position a, Position b) { return to.nodes[a].stamp < to.nodes[b].stamp; });
}

/// Everything stays, in an order in which the read comes before the write.
void Dpor::derive_placed(const Frame& from, const Child& child, Frame& to) {
  for (Position i = 0; i < child.target; ++i) append(to, from.nodes[i]);
  later_.clear();
  for_each_dependent(from, child.length, child.target, first_, marks_, ++mark_, [&](Position i, bool depends) {
    if (depends) {
      later_.push_back(i);
    } else {
      append(to, from.nodes[i]);
    }
  });
  const auto is_it = [&child](const Node& node) { return node.stamp == child.stamp; };
  Node read = child.past != no_row ? from.reads[child.past]
                                   : *std::find_if(from.nodes.begin() + child.length, from.nodes.end(), is_it);
  read.ends = false;
  read.alternative = child.alternative;
  read.effect = Effect::read;
  read.shares = false;
  read.chosen = true;
  append(to, read);
  for (const Position i : later_) append(to, from.nodes[i]);
  keep_endings(from, child.length, child.stamp, to);
}

/// Events that end the run are the last of all linearizations, whenever they were added.
void Dpor::keep_endings(const Frame& from, Position length, std::uint32_t until, Frame& to) {
  for (Position i = length; i < from.nodes.size(); ++i)
    if (from.nodes[i].ends && from.nodes[i].stamp < until) append(to, from.nodes[i]);
}

/// What was added after the target is dropped, unless the event needs it.
void Dpor::derive_revisit(const Frame& from, const Child& child, Frame& to) {
  const std::uint32_t until = from.nodes[child.target].stamp;
  const Clock* needs = from.past(child.past);
  for (Position i = 0; i < child.length; ++i) {
    const Node& node = from.nodes[i];
    if (node.stamp < until) {
      append(to, node);
    } else if (knows(needs, node)) {
      // What it overtook has been dropped and may come before it or after it.
      Node needed = node;
      needed.overtaken = no_thread;
      append(to, needed);
    }
  }
  keep_endings(from, child.length, until, to);
  to.forced = child.thread;
  to.forced_alternative = child.alternative;
  to.any_alternative = child.any_alternative;
  to.overtaken = from.nodes[child.target].thread;
  to.overtaken_index = from.nodes[child.target].index;
}

void Dpor::derive_alternative(const Frame& from, const Child& child, Frame& to) {
  for (Position i = 0; i < child.length; ++i) append(to, from.nodes[i]);
  keep_endings(from, child.length, child.stamp, to);
  to.forced = child.thread;
  to.forced_alternative = child.alternative;
  to.any_alternative = false;
}

/// All nodes are kept, so that more of them can be cut.
void Dpor::derive_cut(const Frame& from, const Child& child, Frame& to) {
  to.is_cut = true;
  to.nodes = from.nodes;
  to.rows = from.rows;
  to.width = from.width;
  to.ending = child.length;
  to.cut_at = child.target == nowhere ? static_cast<Position>(from.nodes.size()) : child.target;
  to.removed.assign(from.nodes.size(), false);
  for (Position i = 0; i < from.nodes.size(); ++i)
    to.removed[i] = (from.is_cut && from.removed[i]) || (from.nodes[i].ends && i != to.ending);
  for (Position i = child.target; i != nowhere && i < end_of_step(from, child.target); ++i) to.removed[i] = true;
}

}  // namespace norn::dpor

namespace norn {

std::unique_ptr<Strategy> make_dpor(const Options&) { return std::make_unique<dpor::Dpor>(); }

}  // namespace norn
