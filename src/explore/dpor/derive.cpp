// Graphs derived from graphs.

#include <algorithm>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {

void Dpor::append(Frame& to, const Node& node) {
  to.next_stamp = std::max(to.next_stamp, node.stamp + 1);
  if (node.chosen) to.chosen.push_back(static_cast<Position>(to.nodes.size()));
  to.nodes.push_back(node);
}

void Dpor::append(Frame& to, std::span<const Node> nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    to.next_stamp = std::max(to.next_stamp, nodes[i].stamp + 1);
    if (nodes[i].chosen) to.chosen.push_back(static_cast<Position>(to.nodes.size() + i));
  }
  to.nodes.insert(to.nodes.end(), nodes.begin(), nodes.end());
}

void Dpor::derive(const Frame& from, const Child& child) {
  Frame& to = top();
  switch (child.kind) {
    case Child::Kind::place: derive_placed(from, child, to); break;
    case Child::Kind::revisit: derive_revisit(from, child, to); break;
    case Child::Kind::alternative: derive_alternative(from, child, to); break;
    case Child::Kind::cut: return derive_cut(from, child, to);
  }
  keep_waiting(from, child, to);
  keep_endings(from, child, to);
  to.given = static_cast<Position>(to.nodes.size());
  std::sort(to.chosen.begin(), to.chosen.end(),
            [&to](Position a, Position b) { return to.nodes[a].stamp < to.nodes[b].stamp; });
}

/// Who waits goes on waiting, unless what it waits for is dropped, and its wait with it.
void Dpor::keep_waiting(const Frame& from, const Child& child, Frame& to) {
  const std::uint32_t until = child.kind == Child::Kind::revisit ? from.nodes[child.target].stamp : UINT32_MAX;
  for (const Waiting& one : from.waiting)
    if (one.stamp <= until) to.waiting.push_back(one);
  if (child.kind != Child::Kind::revisit)
    to.waiting.insert(to.waiting.end(), from.stuck.begin(), from.stuck.begin() + child.stuck);
}

/// Everything stays, in an order in which the read comes before the write.
void Dpor::derive_placed(const Frame& from, const Child& child, Frame& to) {
  append(to, std::span(from.nodes).first(child.target));
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
  read.alternative = child.alternative;
  read.effect = Effect::read;
  read.shares = false;
  read.chosen = true;
  to.placed = read.stamp;
  append(to, read);
  for (const Position i : later_) append(to, from.nodes[i]);
}

/// What was added after the target is dropped, unless the event needs it.
void Dpor::derive_revisit(const Frame& from, const Child& child, Frame& to) {
  const std::uint32_t until = from.nodes[child.target].stamp;
  const Clock* needs = from.past(child.past);
  Position first = 0;
  while (first < child.length && from.nodes[first].stamp < until) ++first;
  append(to, std::span(from.nodes).first(first));
  for (Position i = first; i < child.length; ++i) {
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
  to.forced = child.thread;
  to.forced_alternative = child.alternative;
  to.any_alternative = child.any_alternative;
  // Who receives another message overtakes nobody.
  if (from.nodes[child.target].thread == child.thread) return;
  to.overtaken = from.nodes[child.target].thread;
  to.overtaken_index = from.nodes[child.target].index;
}

void Dpor::derive_alternative(const Frame& from, const Child& child, Frame& to) {
  append(to, std::span(from.nodes).first(child.length));
  to.forced = child.thread;
  to.forced_alternative = child.alternative;
  to.any_alternative = false;
  const bool ended = from.end && from.end->node.stamp == child.stamp;
  if (!ended && child.length >= from.nodes.size()) return;
  // It has overtaken what the event has that turned out in the other way.
  const Node& other = ended ? from.end->node : from.nodes[child.length];
  to.overtaken = other.overtaken;
  to.overtaken_index = other.overtaken_index;
}

/// All nodes are kept, so that more of them can be cut.
void Dpor::derive_cut(const Frame& from, const Child& child, Frame& to) {
  to.is_cut = true;
  to.nodes = from.nodes;
  to.rows = from.rows;
  to.width = from.width;
  to.ends.push_back(from.ends[child.length]);
  to.seen = from.seen;
  // If nothing is cut here, then not again: that is done from where it is derived.
  to.cut_at = child.target == nowhere ? 0 : child.target;
  to.removed = from.removed;
  to.removed.resize(from.nodes.size(), false);
  for (Position i = child.target; i != nowhere && i < end_of_step(from, child.target); ++i) to.removed[i] = true;
}

}  // namespace norn::dpor
