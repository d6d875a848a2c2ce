// Graphs in which nothing happens any more but rounds in vain, as far as that is known before they are run.

#include <algorithm>
#include <utility>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {
namespace {

/// The first nodes of a graph, so many.
struct Beginning {
  const Frame& frame;
  Position length;

  [[nodiscard]] Position last_of(ThreadId thread) const {
    for (Position i = length; i-- > 0;)
      if (frame.nodes[i].thread == thread) return i;
    return nowhere;
  }
  [[nodiscard]] Position next_of(ThreadId thread) const {
    for (Position i = length; i < frame.nodes.size(); ++i)
      if (frame.nodes[i].thread == thread) return i;
    return nowhere;
  }
  [[nodiscard]] Position last_on(std::uint32_t object) const {
    for (Position i = length; i-- > 0;)
      if (frame.nodes[i].object == object) return i;
    return nowhere;
  }
  /// What a thread with this past would see on an atomic object, if that is known, and is the same before any of the
  /// writes that the thread does not know.
  [[nodiscard]] std::optional<std::uint64_t> only_value(std::uint32_t object, const Clock* past) const {
    const Position last = last_on(object);
    if (last == nowhere || !is_on_atomic(frame.nodes[last].op)) return std::nullopt;
    const Node& node = frame.nodes[last];
    const bool writes = node.effect == Effect::write;
    const std::uint64_t value = writes ? node.value : node.before;
    for (Position i = writes ? last : node.previous_write; i != nowhere; i = frame.nodes[i].previous_write) {
      const Node& write = frame.nodes[i];
      if (knows(past, write)) break;
      if (!is_on_atomic(write.op) || write.before != value) return std::nullopt;
    }
    return value;
  }
};

/// Whether a thread that has looked like this goes round in vain, and could not have seen anything else.
bool goes_on_in_vain(const Foresight& foresight, const Beginning& graph, Round round, const Clock* past) {
  constexpr int longest = 64;
  for (int look = 0; look < longest && round.number() != 0; ++look) {
    const Foresight::Known* known = foresight.find(round.number());
    if (known == nullptr || known->in_vain) return known != nullptr;
    const auto value = graph.only_value(known->object, past);
    if (!value) return false;
    round.look(known->whereabouts, *value);
  }
  return false;
}

/// Whether a thread is done, or would look at what it waits for in vain.
bool stays(const Foresight& foresight, const Beginning& graph, ThreadId thread) {
  const Position next = graph.next_of(thread);
  if (next == nowhere) return true;
  const Position last = graph.last_of(thread);
  const Node& look = graph.frame.nodes[next];
  if (last == nowhere || look.op != Op::atomic_load || look.whereabouts == 0) return false;
  const Clock* const past = graph.frame.row(last);
  const auto value = graph.only_value(look.object, past);
  if (!value) return false;
  Round round;
  round.look(look.whereabouts, *value);
  return goes_on_in_vain(foresight, graph, round, past);
}

}  // namespace

/// A read was placed so that its thread goes round in vain, while the others are done or wait in loops, too: the run of
/// such a graph would be given up, and nothing be derived from it.
bool Dpor::leads_nowhere(const Frame& from, const Child& child) const {
  if (child.kind != Child::Kind::place || child.whereabouts == 0 || !from.finished) return false;
  const Beginning graph{from, child.length};
  for (unsigned thread = 0; thread < from.width; ++thread)
    if (thread != child.thread && !stays(foresight_, graph, static_cast<ThreadId>(thread))) return false;
  const Position last = graph.last_of(child.thread);
  if (last == nowhere) return false;
  std::vector<Clock> past(from.row(last), from.row(last) + from.width);
  if (const Position write = from.nodes[child.target].previous_write; write != nowhere)
    join_clocks(past.data(), from.row(write), from.width);
  return any_round(from, child.length, child.thread, child.whereabouts, child.sees,
                   [&](const Round& round) { return goes_on_in_vain(foresight_, graph, round, past.data()); });
}

}  // namespace norn::dpor
