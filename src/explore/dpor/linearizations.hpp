#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/dpor/node.hpp"
#include "trace/trace.hpp"

namespace norn::dpor {

/// So many events of a thread must have happened.
struct Need {
  ThreadId thread = no_thread;
  std::uint32_t count = 0;
};

/// An event that is to happen elsewhere than in the run that was read, or in another way: the next of a thread after
/// some of its events. What the thread does then is not known.
struct Moved {
  ThreadId thread = no_thread;
  std::uint32_t index = 0;       ///< among the events of its thread, from 1; 0: it is where it was
  bool expires = false;          ///< a sleep that nobody ends
  const Clock* needs = nullptr;  ///< what must have happened before
  Need before;                   ///< and what happens after it
};

/// All runs with the behaviour of one run, and with what all runs of several behaviours have in common: how many
/// preemptions do they have at least? A run is a sequence of the same events that keeps the order of each thread and of
/// dependent events; whether a thread that is left could have gone on depends on what has happened until then.
class Linearizations {
 public:
  explicit Linearizations(unsigned spurious) : spurious_(spurious) {}

  /// `ends`: a thread ended the run, so it does that last in all of them.
  void read(const Trace& trace, bool ends);
  /// Whether a thread took a lock that another had not given back, which is not known here.
  [[nodiscard]] bool takes_over_locks() const { return takes_over_; }

  /// Whether a run with this behaviour has at most `bound` preemptions.
  bool within(unsigned bound);
  /// Whether those that have the first events of each thread, as many as `part` says, can have at most `bound`. The
  /// part must have all causes of what is in it, and no other write may come before one of its events on the same
  /// object. When threads go on after it is not known, so leaving them then costs nothing, unless they wait for their
  /// turn to write.
  bool part_within(const Clock* part, const Moved& moved, unsigned bound);

 private:
  /// An event, or what a thread was about to do when the run ended.
  struct Step {
    Op op;
    bool happens;
    bool enabled_at_end;
    bool writes;
    bool goes_on;  ///< the next event of the thread belongs to the same step
    Op sleep;      ///< before this, until `woken`
    Need woken;
    std::uint32_t object;
    std::uint32_t ready;  ///< what the thread needs to come to this, from here in needs_
    std::uint32_t order;  ///< and what must have happened on the object, from here
    std::uint32_t end;    ///< to here
  };
  struct Hold {
    ThreadId thread;
    std::uint32_t count;  ///< taken by this event
    bool shared;
    bool released;
    std::uint32_t ready;  ///< what must have happened for it to be given back, in needs_
    std::uint32_t end;
  };
  struct Write {
    Need event;
    std::uint64_t after;
    bool known;
  };
  struct Object {
    std::uint32_t run = 0;
    ThreadId waiter = no_thread;  ///< a thread that may wait for it
    bool several_wait = false;    ///< and others
    Need last_write;
    std::uint64_t first_state = 0;
    bool has_state = false;
    std::vector<Need> reads;  ///< since the last write
    std::vector<Hold> holds;
    std::vector<Need> events;
    std::vector<Write> values;  ///< of semaphores
  };
  struct ThreadSteps {
    std::vector<Step> steps;
    std::vector<Need> current;  ///< what it takes to be where it is now
    std::uint32_t events = 0;
    std::uint32_t harmless = 0;  ///< from this step on, nothing it does lets others go on or makes them wait
    std::vector<Need> joiners;   ///< who waits for its end, and after how many events, and does something then
    std::vector<std::pair<std::uint32_t, std::uint32_t>> releases;  ///< after how many events, and what
    Op sleep = Op::none;
    Need woken;
  };

  // Reading the run.
  void begin(const Trace& trace);
  void follow(const Link& link);
  void add(const Event& event);
  void add_pending(const Pending& pending);
  Step& add_step(ThreadSteps& thread, Op op, const void* object);
  std::uint32_t number_of(const void* object);
  void note_lock(const Event& event, Object& object, std::uint32_t count);
  void take(Object& object, ThreadId thread, std::uint32_t count, bool shared);
  static Hold* held_by(Object& object, ThreadId thread);
  void give_back(Object& object, ThreadId thread, std::span<const Need> needs);
  static void note_value(const Event& event, Object& object, std::uint32_t count);
  void find_harmless(ThreadId thread);
  static void merge(std::vector<Need>& into, std::span<const Need> from);

  // What can happen after some events.
  [[nodiscard]] bool has(Need need) const { return counts_[need.thread] >= need.count; }
  [[nodiscard]] bool met(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] bool is_moved(ThreadId thread) const {
    return thread == moved_.thread && counts_[thread] + 1 == moved_.index;
  }
  [[nodiscard]] bool is_held(const Hold& hold) const;
  [[nodiscard]] bool is_locked_out(const Step& step, ThreadId thread) const;
  [[nodiscard]] bool has_value(const Step& step) const;
  [[nodiscard]] bool may_wake_spuriously() const;
  [[nodiscard]] bool is_enabled(ThreadId thread) const;
  [[nodiscard]] bool must_let_pass(ThreadId thread) const;
  [[nodiscard]] bool is_possible(ThreadId thread) const;
  [[nodiscard]] bool ends_too_early() const;

  // The search.
  bool search(unsigned bound);
  bool is_feasible();
  std::uint32_t advance(ThreadId thread);
  void push(std::vector<std::uint32_t>& states, ThreadId last);
  bool visit();
  void grow();
  [[nodiscard]] std::uint64_t hash(const std::uint32_t* state) const;
  void expand(ThreadId last);
  bool completes(ThreadId thread);
  bool complete_one(ThreadId last, bool goes_on);

  unsigned spurious_;
  bool takes_over_ = false;
  bool ends_ = false;
  ThreadId ending_ = no_thread;
  std::uint32_t run_ = 0;
  ThreadId width_ = 0;
  std::unordered_map<const void*, std::uint32_t> numbers_;
  std::vector<Object> objects_;
  std::vector<ThreadSteps> threads_;
  std::vector<Need> needs_;
  std::vector<Need> spurious_wakeups_;

  bool whole_ = true;
  Moved moved_;
  std::vector<std::uint32_t> target_;
  std::vector<std::uint32_t> counts_;   ///< events so far, and the thread that moved last
  std::vector<std::uint32_t> open_;     ///< states to look at with the preemptions so far
  std::vector<std::uint32_t> later_;    ///< with one more
  std::vector<std::uint32_t> visited_;  ///< all states that were looked at
  std::vector<std::uint32_t> table_;    ///< which of them, by hash; from 1
};

}  // namespace norn::dpor
