#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.hpp"

namespace norn::reachability {

using Clock = std::uint32_t;
using Row = std::uint32_t;  ///< a vector timestamp: how many events of each thread there were before
inline constexpr std::uint32_t none = UINT32_MAX;

/// A sending event (table 1 of the paper): a call to an object, or a message.
struct Sending {
  ThreadId sender = no_thread;
  std::uint16_t alternative = 0;  ///< of the choice that synchronizes it
  Op op = Op::none;               ///< calls: the operation
  std::uint64_t argument = 0;     ///< and what it says besides
  bool is_first = false;          ///< the sender has done nothing before
  std::uint32_t index = 0;        ///< events of the sender before it
  Row structure = none;           ///< what happened before it: its control structure
  std::uint32_t order = 0;        ///< messages: of the sender to the port before it
  const void* port = nullptr;     ///< messages: where to

  template <typename Archive>
  void archive(Archive& parts) {
    parts(sender, alternative, op, argument, is_first, index, structure, order, port);
  }
};

/// A receiving event (table 2): a call is completed on an object, or a thread receives a message.
struct Receiving {
  const void* object = nullptr;  ///< on which it happens, or the port
  ThreadId thread = no_thread;   ///< whose event it is
  bool is_message = false;       ///< it happens on the thread that receives, not on an object
  bool is_black = false;         ///< its partner may not be changed any more
  bool is_unordered = false;     ///< the program does not care which message it is
  std::uint32_t index = 0;       ///< events of the thread before it
  std::uint32_t order = 0;       ///< events on the object before it
  Sending partner;
  Row structure = none;           ///< its control structure
  std::vector<Sending> race_set;  ///< other sending events that it could be synchronized with

  template <typename Archive>
  void archive(Archive& parts) {
    parts(object, thread, is_message, is_black, is_unordered, index, order, partner, structure, race_set);
  }
};

/// A receiving event of a variant that found no partner: it happens on an object, or on a thread.
struct Unmatched {
  const void* object = nullptr;
  ThreadId thread = no_thread;  ///< no_thread: on the object
  Row structure = none;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(object, thread, structure);
  }
};

/// The synchronization of one run, with vector timestamps (definition 1 and section 4 of the paper).
struct SynSequence {
  ThreadId width = 0;         ///< how many threads
  std::vector<Clock> clocks;  ///< rows of `width` numbers
  std::vector<Receiving> receiving;
  std::vector<std::vector<Row>> calls;  ///< for each thread: what happened before its n-th event, the pending one too
  std::vector<Sending> messages;
  std::vector<Unmatched> unmatched;
  bool has_racing_reads = false;    ///< an operation that changes nothing could have seen something else
  std::vector<const void*> groups;  ///< for each thread: those that are all the same; nullptr: it is the only one

  [[nodiscard]] const Clock* row(Row row) const { return &clocks[std::size_t{row} * width]; }
  /// Proposition 1: whether `r` is in the control structure `structure`.
  [[nodiscard]] bool contains(Row structure, const Receiving& r) const { return row(structure)[r.thread] > r.index; }

  template <typename Archive>
  void archive(Archive& parts) {
    parts(width, clocks, receiving, calls, messages, unmatched, groups);
  }
};

/// Reads traces.
class SynSequenceReader {
 public:
  /// With the race sets of all receiving events (proposition 2).
  SynSequence read(const Trace& trace);
  /// Adds the receiving events of the variant that found no partner in the run that was read last.
  void add_unmatched(const struct Variant& variant, SynSequence& to);

 private:
  struct Object {
    const void* address;
    std::vector<Clock> clock;
    std::vector<std::uint32_t> receiving;  ///< on it, in order
  };

  struct BoundedPort {
    const void* address;
    std::vector<Row> deposits;     ///< what was done before the n-th message was put there
    std::vector<Row> withdrawals;  ///< and before it was taken
  };

  void follow(const Link& link);
  void deposited(const Link& link);
  void withdrew(const Link& link);
  BoundedPort& bounded_port(const void* address);
  void add(const Event& event);
  void receive(const Event& event);
  void complete(const Event& event);
  void look(const Event& event);
  void find_racing_reads(const Trace& trace);
  void note_call(ThreadId thread);
  Row keep(const std::vector<Clock>& clock);
  Object& object(const void* address);
  void find_races(const Trace& trace);
  void find_races_on(const Object& object, const Trace& trace);
  void find_races_of_messages();

  SynSequence sequence_;
  std::vector<std::vector<Clock>> threads_;
  std::vector<Object> objects_;
  std::vector<Event> events_;                     ///< of the receiving events
  std::vector<std::vector<const void*>> opened_;  ///< for each receiving event: the ports that were open
  std::vector<std::uint32_t> received_by_;        ///< for each message: the receiving event, or none
  std::vector<BoundedPort> bounded_ports_;
  /// An event that changes nothing.
  struct Look {
    Event event;
    std::uint32_t index;  ///< events of its thread before it
    Row past;             ///< what happened before it
    std::size_t order;    ///< events on the object before it
  };
  std::vector<Look> looks_;
  std::vector<bool> has_sent_;     ///< for each thread: a message
  std::vector<bool> begins_late_;  ///< for each thread: after it has sent a message
};

}  // namespace norn::reachability
