// Every Mazurkiewicz trace once.

#include "explore/dpor/dpor.hpp"

#include <algorithm>

#include "explore/preemption.hpp"

namespace norn::dpor {

Frame& Dpor::push() {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.clear();
  return frame;
}

bool Dpor::next(Prefix& prefix) {
  prefix.clear();
  if (!started_) {
    started_ = true;
    push();
    return true;
  }
  while (depth_ != 0 && top().children.empty()) --depth_;
  if (depth_ == 0) return false;
  const Child child = top().children.back();
  top().children.pop_back();
  push();
  derive(frames_[depth_ - 2], child);
  for (const Node& node : top().nodes) prefix.push_back({node.thread, node.alternative});
  return true;
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
  return without_preemption(at);
}

std::uint32_t Dpor::number_of(const void* object) {
  return numbers_.try_emplace(object, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

void Dpor::learn(const Trace& trace) {
  Frame& frame = top();
  unsigned width = 1;
  for (const Link& link : trace.links)
    if (link.kind == LinkKind::created) width = std::max(width, link.other + 1U);
  frame.width = width;
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
      add_node(frame, event, choices.first(event.enabled));
      choices = choices.subspan(event.enabled);
    } else {
      frame.nodes[i].before = event.before;
    }
    causality_.add(i);
  }
  find_for_waiting(trace);
}

void Dpor::add_node(Frame& frame, const Event& event, std::span<const Choice> enabled) {
  const auto i = static_cast<Position>(frame.nodes.size());
  const std::uint32_t object = number_of(event.object);
  const Candidate candidate{event.thread, event.op, causality_.count(event.thread) + 1, object, event.argument};
  const bool forced = i == frame.given && frame.forced != no_thread;
  if (!forced) races_.find(candidate, i, causality_.last_on(object), causality_.past(event.thread), event.before);
  bool first = true;
  bool chosen = forced;
  for (const Choice& choice : enabled) {
    if (choice.thread != event.thread) continue;
    if (choice.alternative != event.alternative && (!forced || frame.any_alternative))
      frame.children.push_back(
          {Child::Kind::alternative, event.thread, choice.alternative, false, i, nowhere, no_row});
    if (choice.alternative == event.alternative && !first) chosen = true;
    first = false;
  }
  if (chosen) frame.chosen.push_back(i);
  frame.nodes.push_back({event.thread, event.alternative, event.op, event.effect,
                         shares(event.op, event.effect, event.before), chosen,
                         forced ? frame.overtaken : no_thread, frame.overtaken_index, 0, frame.next_stamp++, object, nowhere, no_row,
                         event.before, event.argument});
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
    races_.find({link.other, link.op, 0, object, 0}, length, causality_.last_on(object), causality_.past(link.other), 0);
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
    races_.find({pending.thread, pending.op, 0, object, pending.argument}, static_cast<Position>(frame.nodes.size()),
                causality_.last_on(object), causality_.past(pending.thread), 0);
  }
}

void Dpor::append(Frame& to, const Node& node) {
  if (node.chosen) to.chosen.push_back(static_cast<Position>(to.nodes.size()));
  to.next_stamp = std::max(to.next_stamp, node.stamp + 1);
  to.nodes.push_back(node);
}

void Dpor::derive(const Frame& from, const Child& child) {
  Frame& to = top();
  switch (child.kind) {
    case Child::Kind::place: derive_placed(from, child, to); break;
    case Child::Kind::revisit: derive_revisit(from, child, to); break;
    case Child::Kind::alternative: derive_alternative(from, child, to); break;
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
  Node read = from.nodes[child.length];
  read.alternative = child.alternative;
  read.effect = Effect::read;
  read.shares = false;
  read.chosen = true;
  append(to, read);
  for (const Position i : later_) append(to, from.nodes[i]);
}

/// What was added after the target is dropped, unless the event needs it.
void Dpor::derive_revisit(const Frame& from, const Child& child, Frame& to) {
  const std::uint32_t until = from.nodes[child.target].stamp;
  const Clock* needs = from.past(child.past);
  for (Position i = 0; i < child.length; ++i) {
    const Node& node = from.nodes[i];
    if (node.stamp < until || knows(needs, node)) append(to, node);
  }
  to.forced = child.thread;
  to.forced_alternative = child.alternative;
  to.any_alternative = child.any_alternative;
  to.overtaken = from.nodes[child.target].thread;
  to.overtaken_index = from.nodes[child.target].index;
}

void Dpor::derive_alternative(const Frame& from, const Child& child, Frame& to) {
  for (Position i = 0; i < child.length; ++i) append(to, from.nodes[i]);
  to.forced = child.thread;
  to.forced_alternative = child.alternative;
  to.any_alternative = false;
}

}  // namespace norn::dpor

namespace norn {

std::unique_ptr<Strategy> make_dpor(const Options&) { return std::make_unique<dpor::Dpor>(); }

}  // namespace norn
