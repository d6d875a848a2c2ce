#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "explore/dpor/clocks.hpp"
#include "explore/survey.hpp"
#include "trace/dependency.hpp"
#include "trace/event.hpp"

namespace norn::dpor {

using Position = std::uint32_t;  ///< in the linearization of a graph
inline constexpr Position nowhere = UINT32_MAX;

/// One event of an execution graph.
struct Node {
  ThreadId thread;
  std::uint16_t alternative;
  Op op;
  Effect effect;
  bool shares;         ///< a reader's lock
  bool chosen;         ///< not what the run did by itself: placed, revisiting, or another alternative
  ThreadId overtaken;  ///< revisiting events: the thread whose event came earlier in the graph it is derived from
  std::uint32_t overtaken_index;  ///< and which of its events
  std::uint32_t index;            ///< among the events of its thread, from 1
  std::uint32_t stamp;            ///< when it was added to the graph, compared with the others
  std::uint32_t object;           ///< number of the object
  Position previous;              ///< on the same object
  Position previous_write;        ///< the last one there that writes
  Position previous_unlike;       ///< the last one there before this one and those like it that it follows
  std::uint32_t release;          ///< the row of `Frame::releases` with what happened before it was given back, or none
  std::uint64_t before;
  std::uint64_t argument;
  const void* address;            ///< of the object
  std::uint64_t history = 0;      ///< of its thread after it, if anybody wants to know (explore/dpor/foresight.hpp)
  std::uint64_t whereabouts = 0;  ///< as in Event
  std::uint64_t value = 0;        ///< of an atomic object after it
};

inline constexpr std::uint32_t no_row = UINT32_MAX;

/// Whether an operation turns out the same before either of two events that follow each other on their object, and
/// overtakes none of them unless it writes there: both read and find the same state. (What is done once has more of a
/// state than a load of its guard sees.)
inline bool are_alike(const Node& one, const Node& other) {
  return one.effect == Effect::read && other.effect == Effect::read && one.before == other.before &&
         (one.op == Op::once) == (other.op == Op::once);
}

/// What a thread does or would do: an event that was added last, or an operation that waits in vain.
struct Candidate {
  ThreadId thread;
  Op op;
  std::uint32_t index;
  std::uint32_t object;
  std::uint64_t argument;
  bool waits = false;             ///< it has not happened
  std::uint64_t whereabouts = 0;  ///< as in Event
};

/// A graph that is to be explored after the one it is derived from.
struct Child {
  enum class Kind : std::uint8_t {
    place,        ///< a read is placed before a write that was added earlier
    revisit,      ///< an event is added again, before one that was added earlier
    alternative,  ///< an event turns out in another way
    cut,          ///< the run ends before an event that does not matter for its end
  };

  Kind kind;
  ThreadId thread;            ///< whose event it is
  std::uint16_t alternative;  ///< how it turns out, as far as that is known
  bool any_alternative;       ///< it is not
  Position length;            ///< how much of the linearization it is derived from; cut: which of `Frame::ends` it has
  Position target;            ///< the event that is overtaken, or cut
  std::uint32_t past;         ///< the row of `Frame::pasts` that says what the event needs; or one of `Frame::reads`
  std::uint32_t stamp;        ///< of the event in the graph that this one is derived from
  std::uint32_t stuck = 0;    ///< how many of `Frame::stuck` stay so
  std::uint32_t needs = 0;    ///< with a bound, if it is placed or revisits: the row of `Frame::pasts` with its past
  std::uint32_t object = 0;   ///< and what it is about
  bool expires = false;       ///< and whether it is the end of a sleep that nobody ended
  std::uint64_t history = 0;  ///< of the thread after the event, if that is known (explore/dpor/foresight.hpp)
  std::uint64_t whereabouts = 0;  ///< of a read that is placed, and
  std::uint64_t sees = 0;         ///< what it sees there
};

/// A thread that must wait in the middle of a loop, until one of these objects changes after the event `from`.
struct Hold {
  ThreadId thread;
  Position from;
  std::vector<const void*> objects;
  std::vector<Position> looked;  ///< what it did before in this round

  template <typename Archive>
  void archive(Archive& parts) {
    parts(thread, from, objects, looked);
  }

  [[nodiscard]] bool has_looked(Position i) const { return std::find(looked.begin(), looked.end(), i) != looked.end(); }
  /// Whether what it saw is still so.
  [[nodiscard]] bool is_up_to_date(std::span<const Event> events) const {
    for (const Position i : looked)
      for (Position j = i + 1; j < events.size(); ++j)
        if (events[j].effect == Effect::write && events[j].object == events[i].object) return false;
    return true;
  }

  [[nodiscard]] bool ends(std::span<const Event> events) const {
    for (Position i = from; i < events.size(); ++i)
      if (events[i].changed && std::find(objects.begin(), objects.end(), events[i].object) != objects.end())
        return true;
    return false;
  }
};

/// A thread waits in a loop: what its event number `index` looks at there was written by the event with the stamp
/// `seen` (0: none). Graphs in which it sees something older are derived elsewhere; here only what is added later, from
/// `stamp` on, can let it out.
struct Waiting {
  ThreadId thread;
  std::uint32_t index;
  std::uint32_t stamp;
  std::uint32_t seen;
};

/// An event that ends the run. It is no part of the linearization: whatever else there is comes before it.
struct Ending {
  Node node;
  Position since = nowhere;                 ///< it is known to end the run after so many events
  std::uint64_t stuck = 0;                  ///< threads whose next event would come after one that cannot happen
  std::vector<Clock> row;                   ///< its causal past
  std::vector<std::uint16_t> alternatives;  ///< in which it could turn out as well
  bool out_of_turn = false;                 ///< a reader that may not come at the end of the last run

  template <typename Archive>
  void archive(Archive& parts) {
    parts(node, since, stuck, row, alternatives);
  }
};

/// A run that ended with an event of `thread` after all events of the graph that are older than `stamp`, so many.
struct SeenEnd {
  ThreadId thread;
  std::uint16_t alternative;
  std::uint32_t index;
  std::uint32_t stamp;
  Position length;
};

/// Of graphs that are not derived from others.
inline constexpr Survey::Stratum no_stratum = INT32_MAX;

/// A graph as a linearization of its events, and what remains to be explored of those derived from it.
struct Frame {
  std::vector<Node> nodes;
  std::vector<Clock> rows;      ///< the causal past of each node, `width` numbers each
  std::vector<Clock> pasts;     ///< the same for what children need
  std::vector<Clock> releases;  ///< the same for locks given back
  std::vector<Child> children;
  std::vector<Node> reads;      ///< to be placed, that did not happen
  std::vector<Ending> endings;  ///< of runs of this graph or of one that it is derived from: others go first
  std::optional<Ending> end;    ///< that is in the graph for a reason: there is no other
  std::vector<Ending> ends;     ///< what the last run could end with; cut graphs: what it does end with
  std::vector<SeenEnd> seen;    ///< runs that need not be done again
  std::vector<std::pair<ThreadId, std::uint32_t>> too_late;  ///< events that could come only after the end
  std::vector<bool> removed;                                 ///< cut graphs: nodes that are not in it
  std::vector<Position> chosen;                              ///< nodes that are, in the order of their stamps
  Position given = 0;                                        ///< nodes it began with
  std::uint32_t next_stamp = 1;
  std::uint32_t placed = 0;  ///< the stamp of the read that was placed here; what follows from it at once is new
  unsigned width = 0;
  ThreadId forced = no_thread;     ///< who moves first after these
  ThreadId overtaken = no_thread;  ///< and whose event that overtakes
  std::uint32_t overtaken_index = 0;
  std::uint16_t forced_alternative = 0;
  std::vector<Hold> holds;
  std::vector<Waiting> waiting;  ///< since before this graph
  std::vector<Waiting> stuck;    ///< at its end
  bool retry = false;            ///< with another one of these
  bool again = false;            ///< the run ended early; others can go on before
  bool is_cut = false;
  Position cut_at = nowhere;  ///< cut graphs: the last node that was removed
  bool any_alternative = true;
  bool is_execution = false;  ///< its run is one
  bool finished = false;      ///< in which all threads came to their ends
  Survey::Stratum stratum = no_stratum;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(nodes, rows, pasts, releases, children, reads, endings, end, ends, seen, too_late, removed, chosen, given,
          next_stamp, placed, width, forced, overtaken, overtaken_index, forced_alternative, holds, waiting, stuck,
          retry, again, is_cut, cut_at, any_alternative, is_execution, finished, stratum);
  }

  void clear() {
    nodes.clear();
    rows.clear();
    pasts.clear();
    releases.clear();
    children.clear();
    reads.clear();
    chosen.clear();
    endings.clear();
    end.reset();
    ends.clear();
    seen.clear();
    too_late.clear();
    removed.clear();
    holds.clear();
    waiting.clear();
    stuck.clear();
    again = is_cut = retry = false;
    given = 0;
    width = 0;
    next_stamp = 1;
    placed = 0;
    forced = overtaken = no_thread;
    any_alternative = true;
    is_execution = finished = false;
    stratum = no_stratum;
  }
  /// Whether the graph itself is to be run once more.
  [[nodiscard]] bool is_open() const { return again || retry; }
  /// Makes room for more threads.
  void widen(unsigned to) {
    if (to <= width) return;
    std::vector<Clock> wider(width == 0 ? 0 : pasts.size() / width * to);
    for (std::size_t i = 0; i < pasts.size(); ++i) wider[i / width * to + i % width] = pasts[i];
    pasts = std::move(wider);
    width = to;
  }
  /// How many events of a run are what the graph says.
  [[nodiscard]] Position pinned() const { return given + (forced != no_thread ? 1 : 0); }
  [[nodiscard]] bool is_held(ThreadId thread, std::span<const Event> events) const {
    for (const Hold& hold : holds)
      if (hold.thread == thread && !hold.ends(events)) return true;
    return false;
  }
  /// The last write on the same object before the node; nullptr if there is none.
  [[nodiscard]] const Node* write_before(Position i) const {
    const Position write = nodes[i].previous_write;
    return write == nowhere ? nullptr : &nodes[write];
  }
  /// Whether event number `index` of a thread may see what was written by the event with the stamp `write`.
  [[nodiscard]] bool may_see(ThreadId thread, std::uint32_t index, std::uint32_t write) const;
  [[nodiscard]] bool is_too_late(ThreadId thread, std::uint32_t index) const {
    return std::find(too_late.begin(), too_late.end(), std::pair{thread, index}) != too_late.end();
  }
  /// Whether event number `index` of a thread stays as it is here, as long as nothing new comes before it.
  [[nodiscard]] bool is_waiting(ThreadId thread, std::uint32_t index) const {
    return std::any_of(waiting.begin(), waiting.end(),
                       [&](const Waiting& one) { return one.thread == thread && one.index == index; });
  }
  /// Whether a thread that is held, while nobody else can move, would see nothing new.
  [[nodiscard]] bool may_look_again(ThreadId thread, std::span<const Event> events) const {
    return std::any_of(holds.begin(), holds.end(), [&](const Hold& hold) {
      return hold.thread == thread && !hold.looked.empty() && hold.is_up_to_date(events);
    });
  }
  [[nodiscard]] const Clock* row(Position i) const { return &rows[std::size_t{i} * width]; }
  [[nodiscard]] const Clock* past(std::uint32_t i) const { return &pasts[std::size_t{i} * width]; }
};

/// Waiting for a condition and giving back its mutex are two events and one step.
inline bool goes_on_a_step(const Frame& frame, Position i, Op op, ThreadId thread) {
  return op == Op::mutex_unlock && i != 0 && frame.nodes[i - 1].op == Op::condition_wait &&
         frame.nodes[i - 1].thread == thread;
}
inline Position begin_of_step(const Frame& frame, Position i) {
  return goes_on_a_step(frame, i, frame.nodes[i].op, frame.nodes[i].thread) ? i - 1 : i;
}
inline Position end_of_step(const Frame& frame, Position i) {
  return i + 1 < frame.nodes.size() && begin_of_step(frame, i + 1) == i ? i + 2 : i + 1;
}

/// Whether `node` happened before whatever has this causal past.
inline bool knows(const Clock* past, const Node& node) { return past[node.thread] >= node.index; }

}  // namespace norn::dpor
