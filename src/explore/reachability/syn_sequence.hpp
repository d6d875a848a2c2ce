#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/dependency.hpp"
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
  std::uint32_t order = 0;        ///< messages: of the sender to the port before it; states: changes until then
  const void* port = nullptr;     ///< messages: where to
  bool may_change = false;        ///< states: whoever finds it may change the object
  bool ends = false;              ///< it is known to end the run

  template <typename Archive>
  void archive(Archive& parts) {
    parts(sender, alternative, op, argument, is_first, index, structure, order, port, may_change, ends);
  }
};

/// A receiving event (table 2): a call is completed on an object, or a thread receives a message, or it looks at the
/// state of an object. Such a state is sent by whoever changed the object last.
struct Receiving {
  const void* object = nullptr;  ///< on which it happens, or the port
  ThreadId thread = no_thread;   ///< whose event it is
  bool is_message = false;       ///< it happens on the thread that receives, not on an object
  bool is_look = false;          ///< and so does this: it changes nothing
  bool changes_instead = false;  ///< it could have been a look, but found the object in a state that it changes
  bool is_pending = false;       ///< it is a look that did not happen, because it would have ended the run
  bool is_black = false;         ///< its partner may not be changed any more
  bool is_unordered = false;     ///< the program does not care which message it is
  std::uint32_t index = 0;       ///< events of the thread before it
  std::uint32_t order = 0;       ///< events on the object before it
  Sending partner;
  Row structure = none;           ///< its control structure
  std::vector<Sending> race_set;  ///< other sending events that it could be synchronized with

  template <typename Archive>
  void archive(Archive& parts) {
    parts(object, thread, is_message, is_look, changes_instead, is_pending, is_black, is_unordered, index, order,
          partner, structure, race_set);
  }
  /// Not on an object.
  [[nodiscard]] bool is_on_thread() const { return is_message || is_look; }
};

/// What is known of an object after so many changes.
struct States {
  const void* object = nullptr;
  std::vector<Row> after;                ///< by the number of changes
  std::vector<std::uint32_t> receiving;  ///< the changes, in order

  template <typename Archive>
  void archive(Archive& parts) {
    parts(object, after, receiving);
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

/// A thread that sleeps for some time at most: a call that may be completed at any time until somebody wakes it.
struct Sleep {
  ThreadId thread = no_thread;
  std::uint32_t index = 0;
  Row structure = none;
  bool is_woken = false;  ///< this event of the thread is another one

  template <typename Archive>
  void archive(Archive& parts) {
    parts(thread, index, structure, is_woken);
  }
};

/// A step that ends the run, whatever the others have done by then.
struct Ending {
  ThreadId thread = no_thread;
  std::uint16_t alternative = 0;
  std::uint32_t index = 0;       ///< events of the thread before it
  const void* object = nullptr;  ///< on which it happens; nullptr if that makes no difference
  std::uint32_t order = 0;       ///< after so many changes of the object
  std::vector<Clock> past = {};  ///< what happened before: for each thread, so many events
  bool is_new = false;           ///< the variant that was exercised did not have all of that

  /// The same, as far as one run is concerned: what happened before is the same then.
  [[nodiscard]] bool is_same(const Ending& other) const {
    return thread == other.thread && alternative == other.alternative && index == other.index &&
           object == other.object && order == other.order;
  }
  friend bool operator==(const Ending&, const Ending&) = default;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(thread, alternative, index, object, order, past, is_new);
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
  std::vector<States> objects;
  std::vector<Sleep> sleeps;
  bool has_racing_readers = false;  ///< who holds a lock together with others could have come before or after a writer
  bool has_unknown_states = false;  ///< how an operation turns out depends on one
  std::vector<const void*> groups;  ///< for each thread: those that are all the same; nullptr: it is the only one
  // If a step ends runs while there is something else to do, or something has happened that it does not need, it is
  // no event of the sequence:
  std::optional<Ending> end;             ///< ended the run, after the sequence
  bool ends_unclearly = false;           ///< no single step did
  std::vector<Ending> endings;           ///< that are possible in the end
  std::vector<std::vector<Row>> needed;  ///< for each thread: what its n-th event needs, which is part of it

  [[nodiscard]] const Clock* row(Row row) const { return &clocks[std::size_t{row} * width]; }
  /// Proposition 1: whether `r` is in the control structure `structure`.
  [[nodiscard]] bool contains(Row structure, const Receiving& r) const {
    return contains(structure, r.thread, r.index);
  }
  /// The same for the event number `index` of a thread.
  [[nodiscard]] bool contains(Row structure, ThreadId thread, std::uint32_t index) const {
    return row(structure)[thread] > index;
  }
  [[nodiscard]] const States& states_of(const void* object) const;
  [[nodiscard]] std::uint32_t changes_of(const void* object) const;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(width, clocks, receiving, calls, messages, unmatched, objects, sleeps, groups, end, endings, needed);
  }
};

/// Whether an operation can turn out to change nothing, which shows its thread the state of the object.
bool can_look(Op op);
/// Whether it never changes anything.
bool only_looks(Op op);
/// Whether it wakes one of those who wait.
bool wakes_one(Op op, std::uint64_t argument);
/// Whether it is the end of a sleep by itself.
bool is_timed_sleep(Op op);
/// Whether the second of two receiving events happens in the same step as the first: who begins to wait for a condition
/// gives back the mutex, where that is an event.
bool are_one_step(const Receiving& wait, const Receiving& unlock);
/// Whether what a thread is about to do is known: not if it sleeps until others do something.
bool is_call(Op op);

/// How many threads there are in a trace.
ThreadId width_of(const Trace& trace);

/// Reads traces.
class SynSequenceReader {
 public:
  explicit SynSequenceReader(bool wakes_any = true) : wakes_any_(wakes_any) {}

  /// With the race sets of all receiving events (proposition 2), and without what ended the run early.
  SynSequence read(const Trace& trace);
  /// Adds the receiving events of the variant that found no partner in the run that was read last.
  void add_unmatched(const struct Variant& variant, SynSequence& to);

 private:
  struct Object {
    const void* address;
    std::vector<Clock> clock;
    std::vector<std::uint32_t> receiving = {};  ///< on it, in order
    std::vector<ThreadId> readers = {};         ///< who hold it together
    std::vector<Clock> read = {};               ///< what readers knew when they gave it back: for writers only
  };

  struct BoundedPort {
    const void* address;
    std::vector<Row> deposits;     ///< what was done before the n-th message was put there
    std::vector<Row> withdrawals;  ///< and before it was taken
  };

  void read_events(const Trace& trace, bool with_needs);
  [[nodiscard]] bool has_ending(const Trace& trace) const;
  [[nodiscard]] bool has_clear_ending(const Trace& trace) const;
  void note_needs(const Event& event, bool ends_step);
  [[nodiscard]] Trace without_end(const Trace& trace);
  void note_end(const Event& event, std::vector<Clock> past);
  void follow(const Link& link);
  void deposited(const Link& link);
  void withdrew(const Link& link);
  BoundedPort& bounded_port(const void* address);
  void add(const Event& event);
  void receive(const Event& event);
  void complete(const Event& event);
  void finish_step(const Event& unlock);
  void look(const Event& event);
  void share(const Event& event);
  void release(ThreadId thread, Object& lock);
  void note_call(ThreadId thread);
  void note_pending_look(const Pending& pending);
  void note_states();
  Row keep(const std::vector<Clock>& clock);
  Object& object(const void* address);
  void find_races(const Trace& trace);
  struct Wait;
  void find_races_on(const States& on, const Trace& trace);
  void consider(const States& on, std::size_t k, const Pending& call, std::uint32_t index);
  void consider_looks(const States& on, std::size_t k);
  void consider_waiters(const States& on, std::size_t k);
  void add_signals(const States& on, std::size_t k, Sending signal);
  [[nodiscard]] static bool is_waiting(const Wait& wait, const States& on, std::size_t k);
  Foreseen foresee_at(const States& on, std::size_t k, Op op, std::uint64_t argument, ThreadId thread);
  [[nodiscard]] std::optional<std::uint64_t> state_before(const States& on, std::size_t k) const;
  void follow_waits(const Event& event, std::size_t position);
  void begin_wait(const Event& event, std::size_t position);
  void note_sleep(ThreadId thread, Op op, bool is_woken);
  void find_races_of_looks();
  void find_races_of(std::uint32_t look);
  void find_races_of_messages();
  void find_racing_readers(const Trace& trace);

  SynSequence sequence_;
  std::vector<Pending> pending_;  ///< before the run was ended
  std::vector<std::vector<Clock>> threads_;
  std::vector<Object> objects_;
  std::vector<Event> events_;                     ///< of the receiving events
  std::vector<std::vector<const void*>> opened_;  ///< for each receiving event: the ports that were open
  std::vector<std::uint32_t> received_by_;        ///< for each message: the receiving event, or none
  std::vector<BoundedPort> bounded_ports_;
  /// A reader's lock: no event on its object, as long as it makes no difference when it is taken.
  struct Reader {
    Event event;
    std::uint32_t index;  ///< events of its thread before it
    Row past;             ///< what happened before it
    std::size_t order;    ///< events on the object before it
  };
  std::vector<Reader> readers_;
  /// A thread that sleeps until a condition is signalled.
  struct Wait {
    const void* object;
    ThreadId thread;
    std::uint32_t index;  ///< which of its events it is if it stops by itself
    Row structure;        ///< and what has happened before
    std::size_t begin;    ///< which of the events on the condition
    std::size_t end;      ///< and which one ended it
    Op sleep = Op::none;  ///< how it sleeps, if that is known
    bool is_woken = false;
  };
  std::vector<Wait> waits_;
  std::optional<Event> begun_wait_;   ///< whose step is not over yet
  std::vector<std::uint32_t> looks_;  ///< receiving events that changed nothing
  bool wakes_any_;                    ///< signals do
  VisibleReleases releases_;
  std::vector<bool> has_sent_;     ///< for each thread: a message
  std::vector<bool> begins_late_;  ///< for each thread: after it has sent a message
};

}  // namespace norn::reachability
