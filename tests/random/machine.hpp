#pragma once

// The abstract machine behind the reference: one state of a random program, and the steps possible in it. Written from
// the semantics of the primitives alone (sequential consistency, every operation one atomic step); it shares nothing
// with Norn.

#include <array>
#include <cstdint>
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
};

inline constexpr unsigned fault_count = static_cast<unsigned>(Fault::ExpiryTakesMutex) + 1;

enum class Phase : std::uint8_t {
  NotStarted,
  Ready,
  Waiting,
  Notified,
  Expired,
  AtBarrier,
  InOnce,
  Undecided,  // the first of two things it waits for was not there
  Finished
};

/// One thread: where it is, what it knows and holds.
struct ThreadState {
  std::array<std::int32_t, registers_per_thread> registers{};
  std::uint8_t next = 0;  // index of its next (or current) operation
  Phase phase = Phase::NotStarted;
  std::uint8_t children = 0;  // bit set of threads it spawned and has not joined
  std::uint8_t unused = 0;
  std::array<std::uint8_t, lock_count> held{};  // how often it holds a lock, or shared_hold

  bool operator==(const ThreadState&) const = default;
};

inline constexpr std::uint8_t shared_hold = 255;

/// Who owns a lock, waits for a condition or stands at a barrier is read off the threads; only what no thread
/// remembers is kept apart. Without padding, so that it is hashed as bytes.
struct State {
  std::array<ThreadState, max_threads> threads;
  std::array<std::int32_t, objects_per_kind> atomics{};
  std::array<std::int32_t, 2 * objects_per_kind> semaphores{};  // s0 s1 p0 p1
  std::array<std::uint8_t, 2 * objects_per_kind> onces{};       // o0 o1 y0 y1: 0 not run, 1 running, 2 done
  std::uint32_t assertion_failed = 0;

  bool operator==(const State&) const = default;
};
static_assert(std::has_unique_object_representations_v<State>);

class Machine {
 public:
  explicit Machine(const Program& program, Fault fault = Fault::None) : program_(program), fault_(fault) {}

  State initial() const;

  /// Appends every state that one step of one thread leads to (nothing: that thread is blocked or has ended).
  void append_steps(const State& state, unsigned thread, std::vector<State>& next) const;

  /// Whether a thread that can do nothing here would have looked again.
  bool would_look_again(const State& state) const;

 private:
  using States = std::vector<State>;

  const Operation& operation_of(const State& state, unsigned thread) const;
  bool at_end(const State& state, unsigned thread) const;
  bool may_perform(const ThreadState& thread, const Operation& operation) const;
  bool can_lock(const State& state, unsigned thread, unsigned lock) const;
  bool can_share(const State& state, unsigned thread, unsigned lock) const;

  void settle(State& state, unsigned thread) const;
  State advanced(State state, unsigned thread) const;

  void perform(const State& state, unsigned thread, States& next) const;
  void perform_end(const State& state, unsigned thread, States& next) const;
  void spawn(State state, unsigned thread, unsigned child, States& next) const;
  void join(State state, unsigned thread, unsigned child, States& next) const;
  void lock(const State& state, unsigned thread, const Operation& operation, States& next) const;
  void expire(const State& state, unsigned thread, States& next) const;
  void end_wait(State state, unsigned thread, States& next) const;
  void notify(const State& state, unsigned thread, const Operation& operation, States& next) const;
  void access(State state, unsigned thread, const Operation& operation, States& next) const;
  void await(State state, unsigned thread, const Operation& operation, States& next) const;
  void await_either(State state, unsigned thread, const Operation& operation, States& next) const;
  void use_semaphore(State state, unsigned thread, const Operation& operation, States& next) const;
  void arrive(State state, unsigned thread, const Operation& operation, States& next) const;
  void enter_once(State state, unsigned thread, const Operation& operation, States& next) const;
  void run_once(State state, unsigned thread, States& next) const;

  const Program& program_;
  Fault fault_;
};

}  // namespace random_programs
