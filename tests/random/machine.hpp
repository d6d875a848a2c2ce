#pragma once

// The abstract machine behind the reference: one state of a random program, and the steps possible in it. Written from
// the semantics of the primitives alone (sequential consistency, every operation one atomic step); it shares nothing
// with Norn.

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "description.hpp"

namespace random_programs {

/// Deliberate errors, to show that a wrong model would be noticed.
enum class Fault : std::uint8_t {
  None,
  NotifyOneWakesFirst,  // only the waiter with the lowest number, not any
  WaitNeverExpires,     // a timed wait is like a wait without a limit
  WaitMayBeSpurious,    // a wait may end without a notification
  TryLockBlocks,        // try_lock waits instead of failing
  TryLockMayFailFree,   // try_lock may fail on a free lock
  ReadersExclude,       // a shared lock excludes other shared locks
  TryAcquireBlocks,     // try_acquire waits instead of failing
  BarrierLetsPass,      // nobody waits at a barrier
  OnceDoesNotWait,      // call_once returns while another thread still runs the body
  JoinDoesNotWait,      // join returns before the thread has ended
  ExpiryTakesMutex,     // a timed wait expires only when it gets the mutex in the same step
  BothInTurn,           // who takes two mutexes together holds the first while it waits for the second
  WokenGoesOn,          // who sleeps while an atomic has a value does not look again when it is woken
  WakesAll,             // a call that wakes one sleeper wakes all of them
  ReleasesOne,          // giving back several of a semaphore gives back one
  FailedOnceIsDone,     // what has failed once is not tried again
  MessagesOvertake,     // messages of one thread to one port come in any order
  BinaryNeverWaits,     // V of a binary semaphore that is 1 does nothing instead of waiting
  SignallerContinues,   // an SU monitor is like an SC monitor
  ConditionsAreStacks,  // who waits last for the condition of a monitor is woken first
};

inline constexpr unsigned fault_count = static_cast<unsigned>(Fault::ConditionsAreStacks) + 1;

/// Whether the fault is about what only programs with constructs have.
inline bool is_about_constructs(Fault fault) { return fault >= Fault::MessagesOvertake; }

enum class Phase : std::uint8_t {
  NotStarted,
  Ready,
  Waiting,
  Notified,
  Expired,
  AtBarrier,
  InOnce,
  HasOne,      // of the two mutexes that it takes together
  HasInVain,   // that: the other one could not be had
  Undecided,   // the first of two things it waits for was not there
  Sleeping,    // until it is woken, when it looks again
  Calling,     // its call has not been answered yet
  Parked,      // it waits for the condition of a monitor
  Urgent,      // it has signalled and waits until it may go on inside
  Reentering,  // it was signalled and has to enter again
  Finished
};

/// One thread: where it is, what it knows and holds.
struct ThreadState {
  std::array<std::int32_t, registers_per_thread> registers{};
  std::uint8_t next = 0;  // index of its next (or current) operation
  Phase phase = Phase::NotStarted;
  std::uint8_t children = 0;  // bit set of threads it spawned and has not joined
  std::uint8_t place = 0;  // how many are before it where it is Parked or Urgent; of two mutexes the one it begins with
  // How often it holds a lock, or shared_hold; then whether it is in a monitor, see monitor_place.
  std::array<std::uint8_t, lock_count + monitor_count> held{};

  bool operator==(const ThreadState&) const = default;
};

inline constexpr std::uint8_t shared_hold = 255;

inline int value_of(const ThreadState& thread, Value value) {
  return value.is_register ? thread.registers[static_cast<unsigned>(value.number)] : value.number;
}

/// Where `held` says whether a thread is in the monitor.
inline unsigned monitor_place(const Operation& operation) {
  return lock_count + monitor_number(operation.kind, operation.index);
}

/// On its way from its sender; `in_use` is 0 where there is none.
struct Message {
  std::int32_t value = 0;
  std::uint8_t port = 0;
  std::uint8_t sender = 0;
  std::uint16_t in_use = 0;

  bool operator==(const Message&) const = default;
};

/// Who owns a lock, waits for a condition or stands at a barrier is read off the threads; only what no thread
/// remembers is kept apart. Without padding, so that it is hashed as bytes.
struct State {
  std::array<ThreadState, max_threads> threads;
  std::array<std::int32_t, objects_per_kind> atomics{};
  std::array<std::int32_t, 3 * objects_per_kind> semaphores{};  // s0 s1 p0 p1 n0 n1
  std::array<std::uint8_t, 2 * objects_per_kind> onces{};       // o0 o1 y0 y1: 0 not run, 1 running, 2 done
  std::uint32_t assertion_failed = 0;
  std::array<Message, max_messages> messages{};  // by sender and port, otherwise in the order they were sent in

  bool operator==(const State&) const = default;
};
static_assert(std::has_unique_object_representations_v<State>);

class Machine {
 public:
  explicit Machine(const Program& program, Fault fault = Fault::None)
      : program_(program), receivers_(receivers_of(program)), sees_locks_(tries_mutexes(program)), fault_(fault) {}

  State initial() const;

  /// Appends every state that one step of one thread leads to (nothing: that thread is blocked or has ended).
  void append_steps(const State& state, unsigned thread, std::vector<State>& next) const;

  /// Whether a thread that can do nothing here would have looked again.
  bool would_look_again(const State& state) const;

 private:
  using States = std::vector<State>;

  const Operation& operation_of(const State& state, unsigned thread) const;
  bool at_end(const State& state, unsigned thread) const;
  bool may_perform(const State& state, unsigned thread, const Operation& operation) const;
  bool can_lock(const State& state, unsigned thread, unsigned lock) const;
  bool can_share(const State& state, unsigned thread, unsigned lock) const;

  void settle(State& state, unsigned thread) const;
  State advanced(State state, unsigned thread) const;
  void go_on(State& state, unsigned thread) const;

  void perform(const State& state, unsigned thread, States& next) const;
  void perform_end(const State& state, unsigned thread, States& next) const;
  void spawn(State state, unsigned thread, unsigned child, States& next) const;
  void join(State state, unsigned thread, unsigned child, States& next) const;
  void lock(const State& state, unsigned thread, const Operation& operation, States& next) const;
  void lock_both(State state, unsigned thread, States& next) const;
  void lock_one_of_both(State state, unsigned thread, States& next) const;
  void try_other_of_both(State state, unsigned thread, States& next) const;
  void give_back_one_of_both(State state, unsigned thread, States& next) const;
  void expire(const State& state, unsigned thread, States& next) const;
  void end_wait(State state, unsigned thread, States& next) const;
  void notify(const State& state, unsigned thread, const Operation& operation, States& next) const;
  void access(State state, unsigned thread, const Operation& operation, States& next) const;
  void await(State state, unsigned thread, const Operation& operation, States& next) const;
  void watch(State state, unsigned thread, const Operation& operation, States& next) const;
  void await_either(State state, unsigned thread, const Operation& operation, States& next) const;
  void sleep(State state, unsigned thread, const Operation& operation, States& next) const;
  void wake(const State& state, unsigned thread, const Operation& operation, States& next) const;
  void use_semaphore(State state, unsigned thread, const Operation& operation, States& next) const;
  void arrive(State state, unsigned thread, const Operation& operation, States& next) const;
  void enter_once(State state, unsigned thread, const Operation& operation, States& next) const;
  void run_once(State state, unsigned thread, States& next) const;

  // Messages and monitors: machine_constructs.cpp.
  static bool is_unnoticed(Verb verb);
  bool perform_unnoticed(State& state, unsigned thread, const Operation& operation) const;
  static void post(State& state, unsigned thread, const Operation& operation);
  void receive(const State& state, unsigned thread, const Operation& operation, States& next) const;
  void take(State state, unsigned thread, unsigned index, States& next) const;
  void enter(State state, unsigned thread, const Operation& operation, States& next) const;
  void leave(State& state, unsigned thread, unsigned monitor) const;
  void leave_all(State& state, unsigned thread) const;
  bool signal(State& state, unsigned thread, unsigned monitor) const;
  void signal_all(State& state, unsigned monitor) const;
  void signal_and_exit(State& state, unsigned thread, unsigned monitor) const;
  void let_in(State& state, unsigned thread, unsigned monitor) const;
  std::vector<unsigned> queue(const State& state, Phase phase, unsigned monitor) const;
  void push(State& state, unsigned thread, Phase phase, unsigned monitor) const;
  std::optional<unsigned> pop(State& state, Phase phase, unsigned monitor) const;
  bool hands_over(unsigned monitor) const;

  const Program& program_;
  Receivers receivers_;
  bool sees_locks_;  // how mutexes are taken together
  Fault fault_;
};

}  // namespace random_programs
