// sem_*, and the semaphores behind std::counting_semaphore (see norn/runtime_abi.h).

#include <linux/futex.h>
#include <semaphore.h>
#include <sys/syscall.h>

#include <cerrno>

#include "frontend/interpose/interpose.hpp"
#include "norn/runtime_abi.h"

namespace norn::frontend {
namespace {

void expect_semaphore(void* object, bool wide, const void* site) {
  touches(static_cast<char*>(object), site);
  if (wide) return;
  expect_alive(*static_cast<sem_t*>(object), site, "a semaphore is used that has been destroyed");
  // What sem_init stores there is nothing or the kernel's flag for private futexes.
  const unsigned sharing = static_cast<const unsigned*>(object)[2];
  if ((sharing & ~unsigned{FUTEX_PRIVATE_FLAG}) != 0)
    misuse(site, "something is used as a semaphore that has never been initialised as one", object);
}

/// What the last event has left.
void note_value(const Semaphore& semaphore) { run().event().value = static_cast<std::uint64_t>(semaphore.value()); }

/// 0, or the error number.
int acquire(void* object, bool wide, Op op, const void* site) {
  const Semaphore semaphore{object, wide};
  expect_semaphore(object, wide, site);
  const std::uint16_t alternative = run().perform({op, site, object, nullptr, wide});
  if (op == Op::semaphore_timed_wait ? alternative == expires : semaphore.value() == 0) {
    note_value(semaphore);
    run().commuted();
    return op == Op::semaphore_timed_wait ? ETIMEDOUT : EAGAIN;
  }
  semaphore.add(-1);
  note_value(semaphore);
  run().watch().acquired(object);
  return 0;
}

/// False if the semaphore would have more than `max`.
bool release(void* object, bool wide, std::int64_t amount, std::int64_t max, const void* site) {
  expect_semaphore(object, wide, site);
  run().perform({Op::semaphore_post, site, object, nullptr, wide});
  touches(static_cast<char*>(object), site);
  run().watch().released_too(object);
  const Semaphore semaphore{object, wide};
  const bool has_room = semaphore.value() <= max - amount;
  if (has_room) semaphore.add(amount);
  note_value(semaphore);
  return has_room;
}

/// Whether a thread waits for what cannot come any more once the semaphore is gone.
bool has_waiters(sem_t* semaphore) {
  return Semaphore{semaphore, false}.value() == 0 &&
         !run().sleepers(semaphore, Op::semaphore_wait, Op::semaphore_timed_wait).empty();
}

int as_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int timed(sem_t* semaphore, clockid_t clock, const timespec* deadline, const void* site) {
  if (!is_time(*deadline) || !is_clock_of_deadlines(clock)) return as_errno(EINVAL);
  const int error = acquire(semaphore, false, Op::semaphore_timed_wait, site);
  if (error == ETIMEDOUT) pass_deadline(deadline, clock);
  return as_errno(error);
}

// Outside of runs: a semaphore on the low half of the counter, with the kernel's help.

int* low_half(std::ptrdiff_t* count) { return reinterpret_cast<int*>(count); }

bool try_take(std::ptrdiff_t* count) {
  std::ptrdiff_t value = __atomic_load_n(count, __ATOMIC_ACQUIRE);
  while (value > 0)
    if (__atomic_compare_exchange_n(count, &value, value - 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return true;
  return false;
}

bool take_count_natively(std::ptrdiff_t* count, const timespec* patience) {
  while (!try_take(count)) {
    if (NORN_REAL(syscall)(SYS_futex, low_half(count), FUTEX_WAIT, 0, patience, nullptr, 0) == 0) continue;
    if (errno == ETIMEDOUT) return try_take(count);
  }
  return true;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int sem_wait(sem_t* semaphore) {
  if (!controlled()) return NORN_REAL(sem_wait)(semaphore);
  return as_errno(acquire(semaphore, false, Op::semaphore_wait, NORN_SITE));
}

NORN_EXPORT int sem_trywait(sem_t* semaphore) {
  if (!controlled()) return NORN_REAL(sem_trywait)(semaphore);
  return as_errno(acquire(semaphore, false, Op::semaphore_try_wait, NORN_SITE));
}

NORN_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  if (!controlled()) return NORN_REAL(sem_timedwait)(semaphore, NativeDeadline(deadline).get());
  return timed(semaphore, CLOCK_REALTIME, deadline, NORN_SITE);
}

NORN_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  if (!controlled()) return NORN_REAL(sem_clockwait)(semaphore, clock, NativeDeadline(deadline).get());
  return timed(semaphore, clock, deadline, NORN_SITE);
}

NORN_EXPORT int sem_post(sem_t* semaphore) {
  if (!controlled()) return NORN_REAL(sem_post)(semaphore);
  if (release(semaphore, false, 1, SEM_VALUE_MAX, NORN_SITE)) return 0;
  run().unchanged();
  return as_errno(EOVERFLOW);
}

NORN_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  if (controlled() && has_waiters(semaphore))
    misuse(NORN_SITE, "a semaphore is initialised anew while threads wait for it", semaphore);
  if (controlled()) begins_or_ends(semaphore, NORN_SITE);
  const int result = NORN_REAL(sem_init)(semaphore, shared, value);
  if (result == 0) exec::life_of(*semaphore) = 0;
  return result;
}

NORN_EXPORT int sem_destroy(sem_t* semaphore) {
  if (!controlled()) return NORN_REAL(sem_destroy)(semaphore);
  expect_alive(*semaphore, NORN_SITE, "a semaphore is destroyed that has been destroyed before");
  if (has_waiters(semaphore)) misuse(NORN_SITE, "a semaphore is destroyed while threads wait for it", semaphore);
  ends(*semaphore, NORN_SITE);
  return 0;
}

NORN_EXPORT int sem_getvalue(sem_t* semaphore, int* value) {
  if (!controlled()) return NORN_REAL(sem_getvalue)(semaphore, value);
  expect_semaphore(semaphore, false, NORN_SITE);
  run().perform({Op::semaphore_value, NORN_SITE, semaphore});
  run().commuted();
  *value = static_cast<int>(Semaphore{semaphore, false}.value());
  return 0;
}

NORN_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  if (controlled()) run().cut_uncontrolled("the program opens a named semaphore (sem_open)", NORN_SITE);
  // The two further arguments are only looked at with O_CREAT, but passing them on is always safe.
  __builtin_va_list arguments;
  __builtin_va_start(arguments, flags);
  const auto mode = __builtin_va_arg(arguments, unsigned);
  const auto value = __builtin_va_arg(arguments, unsigned);
  __builtin_va_end(arguments);
  return NORN_REAL(sem_open)(name, flags, mode, value);
}

NORN_EXPORT void norn_semaphore_acquire(ptrdiff_t* count) {
  if (!controlled()) return void(take_count_natively(count, nullptr));
  acquire(count, true, Op::semaphore_wait, NORN_SITE);
}

NORN_EXPORT int norn_semaphore_try_acquire(ptrdiff_t* count) {
  if (!controlled()) return try_take(count);
  return acquire(count, true, Op::semaphore_try_wait, NORN_SITE) == 0;
}

NORN_EXPORT int norn_semaphore_try_acquire_for(ptrdiff_t* count, long long nanoseconds) {
  if (nanoseconds <= 0) return norn_semaphore_try_acquire(count);
  const timespec patience{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  if (!controlled()) return take_count_natively(count, &patience);
  if (acquire(count, true, Op::semaphore_timed_wait, NORN_SITE) == 0) return 1;
  run().advance(static_cast<std::uint64_t>(nanoseconds), NORN_SITE);
  return 0;
}

NORN_EXPORT void norn_semaphore_release(ptrdiff_t* count, ptrdiff_t update, ptrdiff_t max) {
  if (controlled()) {
    if (!release(count, true, update, max, NORN_SITE))
      misuse(NORN_SITE, "a semaphore is released beyond its maximum", count);
    return;
  }
  __atomic_fetch_add(count, update, __ATOMIC_RELEASE);
  NORN_REAL(syscall)(SYS_futex, low_half(count), FUTEX_WAKE, static_cast<int>(update), nullptr, nullptr, 0);
}
