#pragma once

// The language of the random programs: what the interpreter runs with real primitives, and what the reference
// explores as an abstract machine.
//
//   description = settings | thread 0 | thread 1 ...       thread 0 is main; settings may be empty
//   settings    = initial values (`s0=1 b0=2 n0=1`) and the word `unjoined`
//   thread      = operations separated by `;` or newlines
//
// Objects are a letter and a number: m mutex, t timed_mutex, q recursive_mutex, w shared_mutex, c condition variable
// (c0 always with m0, c1 with m1), a atomic, s counting_semaphore, p sem_t, b std::barrier, k pthread_barrier_t,
// o call_once (its body is one fetch_add of 1 on the atomic of the same number), y pthread_once (the same); and those
// of include/norn/: x port, e entry, n binary_semaphore (acquire is P, release is V), u su_monitor, v sc_monitor (a
// monitor has one condition). `lock_both` takes m0 and m1 together (std::lock), beginning with the one it names. A call
// of an entry gets back its request plus 10. `select` names what it receives from by a sum: 1 for x0, 2 for x1, 4 for
// e0, 8 for e1. r0..r3 are registers, private to a thread. `await` loops until the atomic has a value, and `watch` does
// so too, but its register has the last value that was seen in vain, so that to look in vain makes a difference;
// `await_either` loops until a0 has the first value or a1 the second; a1 is looked at only where a0 has not.
// `sleep_while` is std::atomic::wait, which `wake_one` and `wake_all` end. `release_some` gives back so many at once.
// `once_failing` does what `once` does and then throws, so that it is not done; its register says whether it was this
// thread that did it.
//
// Every text that parses is a well-formed program, so that the shrinker may remove whatever it likes. Some rules
// make it so, and the first three of them depend only on what the thread itself did before:
//   - an operation whose thread may not perform it (unlock of what it does not hold, lock of a non-recursive lock it
//     holds, wait without the mutex, join of what it did not spawn; enter of a monitor it is in, anything else with a
//     monitor it is not in) is passed over and leaves its register alone;
//   - so is lock_both where the thread holds one of the mutexes; in a program in whose text one of them is tried, in
//     all threads but the first in whose text it is, too, because two could give way to each other for ever;
//   - at its end a thread leaves the monitors it is in, in the order of `monitor_number`, and then releases what it
//     still holds, in the order of `lock_number`;
//   - then it joins the children it has not joined, in order of their numbers; with `unjoined` it detaches them;
//   - one thread receives from a port or entry: the first in whose text that port or entry is received from. In others
//     that is passed over; a select is open only for what its thread receives from, and passed over if that is nothing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace random_programs {

inline constexpr unsigned max_threads = 5;
inline constexpr unsigned max_operations = 16;
inline constexpr unsigned registers_per_thread = 4;
inline constexpr unsigned objects_per_kind = 2;
inline constexpr std::string_view object_kinds = "mtqwcaspbkoyxenuv";
inline constexpr unsigned lock_count = 4 * objects_per_kind;
inline constexpr unsigned monitor_count = 2 * objects_per_kind;
inline constexpr unsigned port_count = 2 * objects_per_kind;
inline constexpr unsigned max_messages = 12;  // sends and calls in the text of a program
inline constexpr int reply_distance = 10;     // what a call gets back is so much more than its request

enum class Verb : std::uint8_t {
  Spawn,
  Join,
  Lock,
  LockBoth,
  TryLock,
  TryLockFor,
  Unlock,
  LockShared,
  TryLockShared,
  UnlockShared,
  Wait,
  WaitFor,
  TimedWait,
  NotifyOne,
  NotifyAll,
  Load,
  Store,
  Add,
  Exchange,
  CompareExchange,
  Await,
  Watch,
  AwaitEither,
  SleepWhile,
  WakeOne,
  WakeAll,
  Acquire,
  TryAcquire,
  TryAcquireFor,
  Release,
  ReleaseSome,
  Arrive,
  Once,
  OnceFailing,
  If,
  Assert,
  Send,
  Receive,
  Call,
  Accept,
  Select,
  Enter,
  Leave,
  MonitorWait,
  Signal,
  SignalAll,
  SignalAndExit,
};

/// A constant or the number of a register.
struct Value {
  bool is_register = false;
  std::int16_t number = 0;
};

/// One operation; which members mean something depends on the verb (see the table in description.cpp).
struct Operation {
  Verb verb = Verb::Load;
  char kind = 'a';          // letter of the object
  std::uint8_t index = 0;   // its number
  std::uint8_t reg = 0;     // register written, or examined by If and Assert
  std::uint8_t number = 0;  // thread of Spawn and Join, distance of If, ports of Select, how many of ReleaseSome
  bool equal = true;        // `==` or `!=`
  Value value;              // what is stored, added, sent, compared with or (CompareExchange) expected
  Value desired;            // second value of CompareExchange and AwaitEither
};

struct Thread {
  std::array<Operation, max_operations> operations;
  std::uint8_t size = 0;
};

/// Fixed size, so that parsing it at the start of every run allocates nothing.
struct Program {
  std::array<Thread, max_threads> threads;
  std::uint8_t thread_count = 0;
  bool unjoined = false;
  std::array<std::array<std::int16_t, objects_per_kind>, object_kinds.size()> initial{};

  std::int16_t initial_value(char kind, unsigned index) const { return initial[object_kinds.find(kind)][index]; }
  void set_initial_value(char kind, unsigned index, int value) {
    initial[object_kinds.find(kind)][index] = static_cast<std::int16_t>(value);
  }
};

/// What the line at the end of a run shows.
struct FinalValues {
  std::array<std::array<int, registers_per_thread>, max_threads> registers{};
  std::array<int, objects_per_kind> atomics{};
  std::array<int, objects_per_kind> semaphores{};
  std::array<int, objects_per_kind> posix_semaphores{};
};

struct ParseResult {
  Program program;
  const char* error = nullptr;  // what is wrong, or null
};

ParseResult parse(std::string_view description);

/// The description of a program: parse(to_text(p)) is p. Threads are separated by `separator`.
std::string to_text(const Program& program, std::string_view separator = " | ");

/// The line printed at the end of a run, without a newline; its length. An unjoined program shows only main's
/// registers, because other threads may still be running.
std::size_t format_outcome(const Program& program, const FinalValues& values, char* buffer, std::size_t size);

/// The locks m0 m1 t0 t1 q0 q1 w0 w1 are numbered 0 to 7.
inline unsigned lock_number(char kind, unsigned index) {
  return static_cast<unsigned>(object_kinds.find(kind)) * objects_per_kind + index;
}

/// The monitors u0 u1 v0 v1 are numbered 0 to 3.
inline unsigned monitor_number(char kind, unsigned index) { return (kind == 'u' ? 0 : objects_per_kind) + index; }

/// The ports and entries x0 x1 e0 e1 are numbered 0 to 3, as in the sum of a select.
inline unsigned port_number(char kind, unsigned index) { return (kind == 'x' ? 0 : objects_per_kind) + index; }
inline bool is_entry(unsigned port) { return port >= objects_per_kind; }

/// Which thread receives from each port; max_threads if none does.
using Receivers = std::array<std::uint8_t, port_count>;
Receivers receivers_of(const Program& program);

/// What the operation of this thread receives from, as a bit set; empty also if it does not receive at all.
unsigned open_ports(const Receivers& receivers, unsigned thread, const Operation& operation);

/// Whether somebody can see how mutexes are taken together.
bool tries_mutexes(const Program& program);
/// Whether the thread takes mutexes together.
bool may_lock_both(const Program& program, unsigned thread);

/// Whether it uses something of include/norn/.
inline bool is_construct(const Operation& operation) { return operation.verb >= Verb::Send || operation.kind == 'n'; }

/// Whether the verb writes its register (If and Assert only read it).
bool has_result(Verb verb);

}  // namespace random_programs
