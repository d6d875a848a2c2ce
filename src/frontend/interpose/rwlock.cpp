// pthread_rwlock_*. Readers and writers compete freely; no preference is assumed, so all are explored.

#include <cerrno>

#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"

namespace norn::frontend {
namespace {

constexpr std::string_view destroyed = "a rwlock is used that has been destroyed";

/// What readers publish when they unlock, for writers only.
void* readers_of(pthread_rwlock_t* object) { return reinterpret_cast<char*>(object) + 1; }

}  // namespace

int lock_rwlock(pthread_rwlock_t* object, Op op, const void* site) {
  const ReadWriteLock lock(object);
  const bool reads = op == Op::rwlock_read || op == Op::rwlock_try_read || op == Op::rwlock_timed_read;
  const bool waits = op == Op::rwlock_read || op == Op::rwlock_write;
  const bool tries = op == Op::rwlock_try_read || op == Op::rwlock_try_write;
  touches(object, site);
  expect_alive(*object, site, destroyed);
  if (!tries && lock.writer() == self()) return EDEADLK;
  waits ? run().perform({op, site, object}) : run().perform_try({op, site, object});
  if (reads ? !lock.readable() : !lock.writable()) {
    run().commuted();
    return tries ? EBUSY : ETIMEDOUT;
  }
  if (reads) {
    lock.add_reader();
    // Whoever tries in vain to write sees that there are readers.
    if (!run().readers_ordered()) run().commuted();
  } else {
    lock.set_writer(self());
    run().watch().acquired(readers_of(object));
  }
  run().took(object, reads ? Op::rwlock_read : Op::rwlock_write, site);
  return 0;
}

int unlock_rwlock(pthread_rwlock_t* object, const void* site) {
  const ReadWriteLock lock(object);
  const ThreadId writer = lock.writer();
  touches(object, site);
  expect_alive(*object, site, destroyed);
  if (writer == no_thread && lock.readers() == 0) misuse(site, "the thread unlocks a rwlock that nobody holds", object);
  if (writer != no_thread && writer != self())
    misuse(site, "the thread unlocks a rwlock that another thread holds for writing", object);
  if (!Scheduler::holds(run().current(), object))
    misuse(site, "the thread unlocks a rwlock that other threads hold for reading", object);
  if (run().readers_ordered()) run().perform({Op::rwlock_unlock, site, object});
  if (writer == no_thread) {
    lock.remove_reader();
    run().gave_back_share(object, readers_of(object));
  } else {
    lock.clear_writer();
    run().gave_back(object, run().readers_ordered());
  }
  return 0;
}

namespace {

int timed(pthread_rwlock_t* object, Op op, clockid_t clock, const timespec* deadline, const void* site) {
  if (!is_time(*deadline) || !is_clock_of_deadlines(clock)) return EINVAL;
  const int result = lock_rwlock(object, op, site);
  if (result == ETIMEDOUT) pass_deadline(deadline, clock);
  return result;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_rwlock_init(pthread_rwlock_t* object, const pthread_rwlockattr_t* attributes) {
  if (controlled() && run().is_held(object))
    misuse(NORN_SITE, "a rwlock is initialised anew while it is locked", object);
  if (controlled()) begins_or_ends(object, NORN_SITE);
  return NORN_REAL(pthread_rwlock_init)(object, attributes);
}

NORN_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* object) {
  if (!controlled()) return take_natively(object, [&] { return NORN_REAL(pthread_rwlock_rdlock)(object); });
  return lock_rwlock(object, Op::rwlock_read, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* object) {
  if (!controlled()) return take_natively(object, [&] { return NORN_REAL(pthread_rwlock_tryrdlock)(object); });
  return lock_rwlock(object, Op::rwlock_try_read, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* object, const timespec* deadline) {
  if (!controlled())
    return take_natively(object,
                         [&] { return NORN_REAL(pthread_rwlock_timedrdlock)(object, NativeDeadline(deadline).get()); });
  return timed(object, Op::rwlock_timed_read, CLOCK_REALTIME, deadline, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* object, clockid_t clock, const timespec* deadline) {
  if (!controlled())
    return take_natively(
        object, [&] { return NORN_REAL(pthread_rwlock_clockrdlock)(object, clock, NativeDeadline(deadline).get()); });
  return timed(object, Op::rwlock_timed_read, clock, deadline, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* object) {
  if (!controlled()) return take_natively(object, [&] { return NORN_REAL(pthread_rwlock_wrlock)(object); });
  return lock_rwlock(object, Op::rwlock_write, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* object) {
  if (!controlled()) return take_natively(object, [&] { return NORN_REAL(pthread_rwlock_trywrlock)(object); });
  return lock_rwlock(object, Op::rwlock_try_write, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* object, const timespec* deadline) {
  if (!controlled())
    return take_natively(object,
                         [&] { return NORN_REAL(pthread_rwlock_timedwrlock)(object, NativeDeadline(deadline).get()); });
  return timed(object, Op::rwlock_timed_write, CLOCK_REALTIME, deadline, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* object, clockid_t clock, const timespec* deadline) {
  if (!controlled())
    return take_natively(
        object, [&] { return NORN_REAL(pthread_rwlock_clockwrlock)(object, clock, NativeDeadline(deadline).get()); });
  return timed(object, Op::rwlock_timed_write, clock, deadline, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* object) {
  if (!controlled()) return NORN_REAL(pthread_rwlock_unlock)(object);
  return unlock_rwlock(object, NORN_SITE);
}

NORN_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* object) {
  if (!controlled()) return NORN_REAL(pthread_rwlock_destroy)(object);
  expect_alive(*object, NORN_SITE, "a rwlock is destroyed that has been destroyed before");
  if (!ReadWriteLock(object).writable()) misuse(NORN_SITE, "a rwlock is destroyed while it is locked", object);
  ends(*object, NORN_SITE);
  return 0;
}
