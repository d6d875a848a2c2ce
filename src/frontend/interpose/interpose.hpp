#pragma once

// What every interposed function needs. The runtime library comes before libstdc++ and libc in symbol look-up, so
// the program and its libraries call these definitions instead of the C library's. Outside of runs they hand the
// call on; in a run they do what the function would do, with virtual threads.

#include "exec/objects.hpp"
#include "exec/phase.hpp"
#include "exec/real.hpp"
#include "exec/scheduler.hpp"
#include "exec/services.hpp"

#define NORN_EXPORT extern "C" __attribute__((visibility("default")))
/// Where the program called the interposed function. Also notes where the program's part of the stack ends.
#define NORN_BARE_SITE (norn::exec::program_frame = __builtin_dwarf_cfa(), __builtin_return_address(0))
/// The same, for a statement after which Norn has left no traces on the stack below its function (exec/traces.hpp).
#define NORN_SITE (norn::frontend::Site{NORN_BARE_SITE})

namespace norn::frontend {

class Site {
 public:
  explicit Site(const void* code) : code_(code) {}
  ~Site() { exec::leave_no_traces(); }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  operator const void*() const { return code_; }

 private:
  const void* code_;
};

using exec::controlled;
using exec::Mutex;
using exec::Once;
using exec::ReadWriteLock;
using exec::scheduler;
using exec::Scheduler;
using exec::Semaphore;
using exec::Status;
using exec::Thread;

inline Scheduler& run() { return *scheduler; }
inline ThreadId self() { return run().current().id; }

/// Something that POSIX calls undefined: a bug of the program.
[[noreturn]] inline void misuse(const void* site, std::string_view message, const volatile void* object = nullptr) {
  run().end_run(End::misuse, site, message, const_cast<const void*>(object));
}

/// The current thread uses a synchronization object: it must be alive, and whoever destroys it must be ordered.
template <typename T>
void touches(T* object, const void* site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(object);
  run().watch().use(begin, site);
  // Threads in loops that wait are compared with what they were: all of an object on a stack is what others change.
  if (run().record().loops.empty()) [[likely]]
    return;
  constexpr std::size_t word = 4;
  for (std::uintptr_t i = begin + word; i < begin + sizeof *object; i += word) run().watch().use(i, site);
}
/// It waits for the object first, and uses it then; but already now it must be alive.
template <typename T>
void will_touch(T* object, const void* site) {
  run().watch().will_use(reinterpret_cast<std::uintptr_t>(object), site);
}
/// The object's life begins or ends here: that conflicts with every use.
template <typename T>
void begins_or_ends(T* object, const void* site) {
  if (run().watch().on()) run().access(reinterpret_cast<std::uintptr_t>(object), 4, analysis::Access::write, site);
}

/// Nothing can be done with an object that was destroyed but to initialise it anew.
template <typename T>
void expect_alive(T& object, const void* site, std::string_view message) {
  if (exec::life_of(object) == exec::destroyed_mark) [[unlikely]]
    misuse(site, message, &object);
}
/// The object's life ends here.
template <typename T>
void ends(T& object, const void* site) {
  begins_or_ends(&object, site);
  exec::life_of(object) = exec::destroyed_mark;
}

// Used by several families of functions (POSIX, C11).

inline constexpr std::string_view destroyed_condition = "a condition variable is used that has been destroyed";
void destroy_mutex(pthread_mutex_t* mutex, const void* site);
void destroy_condition(pthread_cond_t* condition, const void* site);

/// The system call, with its first four arguments.
long futex(long a, long b, long c, long d, const void* site);
int lock_mutex(pthread_mutex_t* mutex, Op op, const void* site);
int lock_mutex_in_time(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline, const void* site);
int unlock_mutex(pthread_mutex_t* mutex, const void* site);
void expect_mutex(pthread_mutex_t* mutex, const void* site);
int lock_rwlock(pthread_rwlock_t* lock, Op op, const void* site);
int unlock_rwlock(pthread_rwlock_t* lock, const void* site);
int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline, clockid_t clock,
                       const void* site);
void signal_condition(pthread_cond_t* condition, bool all, const void* site);
int create_thread(pthread_t* handle, bool detached, void* (*start)(void*), void* argument, const void* site);
int join_thread(pthread_t handle, void** result, const void* site);
int detach_thread(pthread_t handle, const void* site);
[[noreturn]] void exit_thread(void* result);
/// If the thread that ends has registered a function (pthread_cleanup_push) in a frame below this address: goes there.
void jump_to_cleanup(std::uintptr_t unwound);
/// Runs `body` unless somebody has; waits for whoever is at it.
void do_once(Once once, void (*body)(), const void* site);
/// Destroys the thread_local objects of the current thread.
void finish_thread_locals();
/// `last`: the thread ends, and nobody is left.
[[noreturn]] void exit_process(int code, bool handlers, const void* site, bool last = false);

/// On the clock that threads have.
std::uint64_t deadline_of(const timespec& deadline, clockid_t clock);
/// The current thread's virtual time moves on to `deadline`, if that is later. `site` is where it sleeps, if not at its
/// last visible operation.
void pass_deadline(const timespec* deadline, clockid_t clock, const void* site = nullptr);

/// A deadline for the C library: before main() programs reckon with virtual clocks (exec/prelude.hpp), and it does not.
class NativeDeadline {
 public:
  explicit NativeDeadline(const timespec* deadline);
  [[nodiscard]] const timespec* get() const { return deadline_; }

 private:
  const timespec* deadline_;
  timespec real_{};
};

/// 0, or the error number.
int sleep_for(const timespec& duration, timespec* rest, const void* site);
/// Whether it is a time at all: somebody may have added to the nanoseconds without carrying.
inline bool is_time(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000; }
/// Whether there is a clock of that number. What belongs to a process or a thread has a negative one.
inline bool is_clock(clockid_t clock) { return clock <= CLOCK_BOOTTIME_ALARM || clock == CLOCK_TAI; }
/// Whether the C library waits by it.
inline bool is_clock_of_deadlines(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

}  // namespace norn::frontend
