#pragma once

#include <cstdint>
#include <string_view>

namespace norn {

/// A thread's slot. A slot belongs to one identity (parent, n-th child of it) for the whole exploration, so
/// the number means the same thread in every run.
using ThreadId = std::uint16_t;
inline constexpr ThreadId no_thread = 0xffff;
inline constexpr ThreadId main_thread = 0;

/// A line of the program's source, by a number that is the same for the whole exploration.
using Location = std::uint32_t;
inline constexpr Location library_location = 1;  ///< no line of the program's own code
/// From here on: lines that a run came across for the first time, which get their numbers when it has ended.
inline constexpr Location first_postponed_location = UINT32_MAX - 1024;

/// Every kind of operation that a thread can be about to do when the scheduler looks at it.
enum class Op : std::uint8_t {
  none,
  mutex_lock,
  mutex_try_lock,
  mutex_timed_lock,
  mutex_unlock,
  spin_lock,
  spin_try_lock,
  spin_unlock,
  rwlock_read,
  rwlock_try_read,
  rwlock_timed_read,
  rwlock_write,
  rwlock_try_write,
  rwlock_timed_write,
  rwlock_unlock,
  condition_wait,
  condition_sleep,
  condition_timed_sleep,
  condition_relock,
  condition_signal,
  condition_broadcast,
  semaphore_wait,
  semaphore_try_wait,
  semaphore_timed_wait,
  semaphore_post,
  semaphore_value,
  barrier_arrive,
  barrier_meet,  ///< the same where all who use the barrier meet every time: it makes no difference who comes first
  barrier_sleep,
  monitor_enter,
  binary_post,  ///< of a binary semaphore, where it waits while nobody has taken what was given before
  receive,      ///< a message, or a call, from one of several threads
  poll,         ///< the same, if there is any
  send,         ///< where somebody polls; otherwise it is no event
  deposit,      ///< a message, into a port that can be full
  withdraw,     ///< the oldest message of such a port
  park,         ///< until another thread says to go on
  once,
  atomic_load,
  atomic_store,
  atomic_update,
  atomic_compare_exchange,
  address_wait,
  address_sleep,
  address_timed_sleep,
  address_wake,
  thread_join,
  thread_try_join,
  thread_end,
  process_exit,
  plain_read,
  plain_write,
  step_begin,     ///< several operations that happen in one step
  yield,          ///< has done much without any visible operation: others first
  thread_create,  ///< of one thread too many, so it never happens
  count_,
};

std::string_view name(Op op);
/// The operation called `text`, or Op::none.
Op op_named(std::string_view text);

/// What an operation did to its object: two reads commute, everything else on one object does not.
enum class Effect : std::uint8_t { read, write };

/// One way the run can go on: which thread moves, and how its operation turns out where more than one
/// outcome is possible (which waiter a signal wakes, whether a timed wait expires).
struct Choice {
  ThreadId thread = no_thread;
  std::uint16_t alternative = 0;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// The alternative of a timed operation that stands for "the time ran out".
inline constexpr std::uint16_t expires = 1;
/// The alternative of a sleeping waiter that stands for "woke up without a signal".
inline constexpr std::uint16_t wakes_spuriously = 2;

/// The alternative of a thread that looks at the clock in a loop: much time has passed.
inline constexpr std::uint16_t time_passes = 3;

/// The alternatives of receiving: whose message it is, and which of the ports that are open it comes from.
inline constexpr unsigned sender_bits = 10;
inline constexpr unsigned most_open_ports = 1U << (16 - sender_bits);
inline std::uint16_t from_sender(ThreadId sender, unsigned port) {
  return static_cast<std::uint16_t>(port << sender_bits | sender);
}
/// The alternative of polling that stands for "there is nothing".
inline constexpr std::uint16_t nothing_came = 0xffff;
inline ThreadId sender_of(std::uint16_t alternative) { return alternative & ((1U << sender_bits) - 1); }
inline unsigned port_of(std::uint16_t alternative) { return alternative >> sender_bits; }

/// The thread that an alternative of the operation stands for: whom it wakes, or whose message it is. no_thread: none.
inline ThreadId named_by(Op op, std::uint16_t alternative) {
  switch (op) {
    case Op::condition_signal:
    case Op::address_wake: return alternative;
    case Op::receive:
    case Op::poll: return alternative == nothing_came ? no_thread : sender_of(alternative);
    default: return no_thread;
  }
}

/// Threads as objects of operations: no addresses, but the same in all processes.
inline void* object_of_thread(ThreadId thread) { return reinterpret_cast<void*>(std::uintptr_t{thread} + 1); }
/// no_thread if the object is none.
inline ThreadId thread_of_object(const void* object) {
  const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(object) - 1;
  return number < no_thread ? static_cast<ThreadId>(number) : no_thread;
}

/// One visible operation of one run.
struct Event {
  ThreadId thread;
  std::uint16_t alternative;
  Op op;
  Effect effect;
  std::uint16_t enabled : 13;   ///< how many choices there were, this one included
  bool changed : 1 = false;     ///< it left its object in another state
  bool in_vain : 1 = false;     ///< part of a round of a loop that waits: as if it had not happened
  bool ends_round : 1 = false;  ///< the last of such a round
  const void* object;
  const void* site;            ///< return address of the call in the program
  std::uint64_t value;         ///< of an atomic object or a semaphore: what it is after the event
  std::uint64_t before = 0;    ///< the state of the object until then, as trace/dependency.hpp reads it
  std::uint64_t argument = 0;  ///< what the operation compares that state with, if it does
  /// In a loop that waits: a number for where its thread was, and all that decides how it goes on but what it sees
  /// here. 0: not known.
  std::uint64_t whereabouts : 63 = 0;
  bool is_opaque : 1 = false;  ///< its object is no number of up to 8 bytes: value and before say nothing to people
};
static_assert(sizeof(Event) == 56);

}  // namespace norn
