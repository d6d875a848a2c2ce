#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/arena.hpp"
#include "exec/call_stack.hpp"
#include "exec/held_lock.hpp"
#include "exec/loops.hpp"
#include "exec/machine_code.hpp"
#include "exec/operation.hpp"
#include "norn/runtime_abi.h"
#include "support/copy.hpp"
#include "support/hash.hpp"

namespace norn::exec {

enum class Status : std::uint8_t {
  unused,  ///< not created in this run
  ready,   ///< can go on without a scheduling decision: just started, or what it waited for has come
  running,
  pending,  ///< waits in the scheduler with an operation
  ended,
};

/// A destructor that the C++ library registered for a thread_local object.
struct ThreadLocalDestructor {
  void (*function)(void*);
  void* object;
  ThreadLocalDestructor* next;
};

inline constexpr unsigned max_keys = 1024;  // as PTHREAD_KEYS_MAX

/// What a virtual thread borrows from a parked OS thread.
struct Seat {
  void* stack_top = nullptr;
  void* stack_limit = nullptr;
  std::uintptr_t tcb = 0;    ///< FS base: its thread control block
  unsigned long handle = 0;  ///< its pthread_t
  int os_thread = 0;         ///< the OS thread that executes whoever sits here

  /// That of the calling OS thread, with the stack below the caller's frame.
  static Seat of_caller(void* frame);
};

/// Where a thread was when it was last looked at for going round in circles.
struct SpinMark {
  const void* site = nullptr;
  const void* object = nullptr;
  Op op = Op::none;
  std::uint64_t changes = 0;  ///< by other threads, until the mark was set
  std::uint32_t age = 0;      ///< own events since
  std::uint32_t limit = 0;    ///< the age at which the mark moves on
  std::uint32_t held = 0;     ///< locks held there
  bool reads_clock = false;   ///< in the last round
  std::uint64_t clock_reads = 0;
  std::uint32_t round = 0;  ///< the event at which the last round began
  std::uint64_t deeds = 0;  ///< of the thread, until then
  std::uint64_t registers = 0;
  std::uint64_t stack = 0;
  std::uint64_t memory = 0;
  std::uint32_t misses = 0;    ///< how often the thread came there in another state
  std::uint32_t patience = 0;  ///< and how often it may

  /// As if it had never been set. The rest is written when it is.
  void forget() {
    site = object = nullptr;
    op = Op::none;
    changes = 0;
    age = limit = held = 0;
  }
};

/// A place in a loop that a thread passed since it last changed anything.
struct Passed {
  Place place;
  std::array<std::uint64_t, saved_registers> registers;
  std::uint64_t locals;          ///< hash of its thread-local variables
  std::vector<std::byte> stack;  ///< the program's part of it
  std::uint32_t step;            ///< the event it was about to do
  std::uint64_t whereabouts;     ///< when it was there for the first time; later there may be more left over
};

/// What a run changes about one of its threads, as far as it is plain data: copying it back is going back.
struct ThreadState {
  void* stack_pointer = nullptr;  ///< where it runs; the executor's business
  Status status = Status::unused;
  bool spinning = false;  ///< goes round in circles until somebody changes what it looks at
  std::uint16_t alternative = 0;
  Operation pending;
  ThreadId last_child = no_thread;
  bool detached = false;
  bool joined = false;
  bool awaited = false;                     ///< somebody waits, or has waited, until it ends
  std::uint32_t step_depth = 0;             ///< inside several operations that happen in one step
  std::span<const norn_lockable> together;  ///< the locks that it takes together, in order, until it has all
  std::uint32_t parts = 0;                  ///< how many of them it has
  bool woken = false;                       ///< made ready by another thread while it slept at an address
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
  void* (*program_start)(void*) = nullptr;
  const void* first_code = nullptr;  ///< of the function that it is to run, if that is the program's
  void* program_argument = nullptr;
  void* result = nullptr;
  std::uintptr_t dead_below = 0;       ///< what is below on its stack belongs to functions that have returned
  std::uint32_t computes_since = 0;    ///< event of the run after which it has done much that nobody saw
  std::uint32_t computes_long = 0;     ///< how often it has done so much again
  std::uint32_t yields_since = 0;      ///< event of the run after which it has given way
  std::uint32_t yields = 0;            ///< how often again, without an event
  std::uint64_t progress_seen = 0;     ///< that of the run, when it last had done so
  std::uint32_t computes_in_vain = 0;  ///< how often there was none since the last time
  SpinMark spin;
  bool changes_on_way = false;      ///< in the round after which it began to spin
  std::uint64_t once_more = 0;      ///< one more than the changes by others when it went round once more; 0: never
  std::uint64_t others_writes = 0;  ///< plain ones, until it began to spin
  std::uint64_t writes = 0;         ///< plain ones, to memory that is not its own
  std::uint32_t passed_count = 0;   ///< how many of the places it passed count
  std::uint64_t passed_deeds = 0;
  std::uint64_t operand = 0;        ///< what the atomic update that it is about to do combines the value with
  std::uint64_t whereabouts = 0;    ///< at its pending operation, as in Event
  std::uint32_t looked_around = 0;  ///< events of the run when it had last accessed memory between two of its own
  std::uint32_t tries = 0;          ///< operations of its own that may fail because of a lock that somebody holds
  std::uint64_t tried = 0;          ///< changes by others when it did the last of these
  std::uint64_t registers = 0;      ///< hash of them at its pending operation; 0: it has not moved since a thread tried
  bool reads_inputs = false;        ///< what it does depends on inputs, which were chosen for it
  std::uint64_t own_changes = 0;    ///< events of its own that changed their objects
  void* program_frame = nullptr;    ///< where its part of the stack ends and that of the interposed function begins
  std::uintptr_t traces_limit = 0;  ///< how far down its stack is cleared (exec/traces.hpp)
  std::uint64_t clock = 0;          ///< virtual nanoseconds
  std::uint64_t in_time_for = 0;    ///< it was notified before that, which the clock it looks at next must not deny
  std::uint64_t clock_reads = 0;
  std::uint64_t idle_clock_reads = 0;  ///< since its last visible operation
  bool waits_for_time = false;         ///< it spins, and looks at the clock
  std::uint64_t time_passed = 0;       ///< changes by others when time last passed for it
  std::uint64_t slept = 0;             ///< changes by others when it last slept
  const void* slept_at = nullptr;      ///< where that was
  std::uint64_t lineage = 0;           ///< whom it, and whoever created it, has created and joined
  std::uint64_t random = 0;            ///< state of rand() and its like
  ThreadLocalDestructor* destructors = nullptr;
  void* cleanups = nullptr;          ///< where it goes before it ends: places on its stack, the last one first
  std::uint32_t keys_used = 0;       ///< one more than the highest key that has a value
  bool cancel_disabled = false;      ///< nobody cancels threads in a run, but they can ask
  bool cancel_asynchronous = false;  ///< likewise
};
static_assert(std::is_trivially_copyable_v<ThreadState>);

inline std::uint64_t lineage_after_creating(std::uint64_t lineage, ThreadId child) {
  return combine(lineage, 2 * std::uint64_t{child});
}
inline std::uint64_t lineage_after_join(std::uint64_t lineage, ThreadId ended, std::uint64_t its_lineage) {
  return combine(combine(lineage, 2 * std::uint64_t{ended} + 1), its_lineage);
}

/// The compiler would copy it byte by byte.
inline void copy(const ThreadState& from, ThreadState& to) {
  copy_few(reinterpret_cast<std::byte*>(&to), reinterpret_cast<const std::byte*>(&from), sizeof from);
}

/// One virtual thread. Slots live as long as the engine; what a run changes is reset by `begin_run`. What the scheduler
/// looks at again and again comes first.
struct alignas(64) Thread : ThreadState {
  // Who it is, for the whole exploration.
  ThreadId id = no_thread;
  Seat seat;
  std::byte* locals_copy = nullptr;           ///< its thread-local variables as they were before it ran anything
  std::uintptr_t lowest_frame = UINTPTR_MAX;  ///< the lowest `program_frame` in all runs

  // The rest of what a run changes.
  std::vector<HeldLock> held;
  /// Accesses to its stack, the first to each place: where to look again for accesses once it has ended.
  std::vector<std::pair<std::uintptr_t, std::size_t>> stack_accesses;
  std::vector<Passed> passed;
  Arena arena;
  Location pending_location = 0;  ///< the line that its pending operation comes from, if lines are asked for
  CallStack pending_stack;        ///< where its pending operation comes from; only in detailed runs
  void* keys[max_keys] = {};

  /// Stands for the thread where that is the object of an operation.
  [[nodiscard]] void* as_object() const { return object_of_thread(id); }
  /// Grows whenever what the thread does cannot be undone by coming back to where it was.
  [[nodiscard]] std::uint64_t deeds() const { return own_changes + writes + clock_reads; }
  /// Where the program's part of its memory lies: its stack and, for all but the main thread, the thread-local
  /// variables between the stack and the control block.
  [[nodiscard]] std::pair<std::uintptr_t, std::uintptr_t> own_memory() const {
    constexpr std::uintptr_t farthest_control_block = std::uintptr_t{1} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(seat.stack_limit);
    const auto top = reinterpret_cast<std::uintptr_t>(seat.stack_top);
    const bool has_locals = seat.tcb - top < farthest_control_block;
    return {begin, has_locals ? seat.tcb : top};
  }
  [[nodiscard]] bool alive() const { return status != Status::unused && status != Status::ended; }
};

}  // namespace norn::exec
