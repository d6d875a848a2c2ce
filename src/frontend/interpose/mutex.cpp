// pthread_mutex_*, pthread_spin_*.

#include <cerrno>

#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"

namespace norn::frontend {
namespace {

// What __nusers of a robust mutex says, which Norn has no other use for.
enum Consistency : unsigned { consistent = 0, owner_died = 1, not_recoverable = 2 };

void expect_mutex(Mutex mutex, const void* site) {
  if (mutex.is_one()) [[likely]]
    return;
  expect_alive(mutex.object, site, "a mutex is used that has been destroyed");
  misuse(site, "something is used as a mutex that has never been initialised as one", &mutex.object);
}

int take(Mutex mutex, const void* site) {
  auto& data = mutex.object.__data;
  if (mutex.owned_by(self())) {
    if (mutex.checks_errors()) return EDEADLK;
    if (!mutex.recursive()) misuse(site, "the thread takes a mutex that it already holds", &mutex.object);
    ++data.__count;
    return 0;
  }
  if (data.__nusers == not_recoverable) return ENOTRECOVERABLE;
  const bool inherited = mutex.held();
  const ThreadId before = mutex.owner();
  mutex.take(self());
  run().took(&mutex.object, Op::mutex_lock, site);
  if (!inherited) return 0;
  // All that the dead thread did to what the mutex protects comes before.
  run().link(LinkKind::joined, nullptr, before);
  run().watch().joined(before);
  data.__nusers = owner_died;
  return EOWNERDEAD;
}

}  // namespace

void expect_mutex(pthread_mutex_t* mutex, const void* site) { expect_mutex(Mutex(mutex), site); }

int lock_mutex(pthread_mutex_t* object, Op op, const void* site) {
  const Mutex mutex(object);
  will_touch(object, site);
  expect_mutex(mutex, site);
  if (op == Op::mutex_lock) {
    run().perform({op, site, object});
    will_touch(object, site);
    expect_mutex(mutex, site);
    const int result = take(mutex, site);
    touches(object, site);
    return result;
  }
  const std::uint16_t alternative = run().perform_try({op, site, object});
  // A thread that tries its own mutex gets it only if it is recursive, even if it checks for errors.
  const bool hopeless = mutex.owned_by(self()) && !mutex.recursive();
  const bool available =
      op == Op::mutex_timed_lock ? alternative != expires : !hopeless && run().can_take(mutex, self());
  if (available) return take(mutex, site);
  run().commuted();
  if (op == Op::mutex_timed_lock) return mutex.owned_by(self()) && mutex.checks_errors() ? EDEADLK : ETIMEDOUT;
  return EBUSY;
}

int lock_mutex_in_time(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline, const void* site) {
  if (!is_clock_of_deadlines(clock)) return EINVAL;
  const int result = lock_mutex(mutex, Op::mutex_timed_lock, site);
  if (result != ETIMEDOUT) return result;
  if (!is_time(*deadline)) return EINVAL;
  pass_deadline(deadline, clock);
  return result;
}

void destroy_mutex(pthread_mutex_t* mutex, const void* site) {
  expect_alive(*mutex, site, "a mutex is destroyed that has been destroyed before");
  if (Mutex(mutex).held()) misuse(site, "a mutex is destroyed while it is locked", mutex);
  ends(*mutex, site);
}

int unlock_mutex(pthread_mutex_t* object, const void* site) {
  const Mutex mutex(object);
  touches(object, site);
  expect_mutex(mutex, site);
  if (!mutex.owned_by(self())) {
    if (mutex.expects_owner()) return EPERM;
    misuse(site,
           mutex.held() ? "the thread unlocks a mutex that another thread holds"
                        : "the thread unlocks a mutex that nobody holds",
           object);
  }
  auto& data = mutex.object.__data;
  if (data.__count > 1) {
    --data.__count;
    return 0;
  }
  if (run().releases_visible()) run().perform({Op::mutex_unlock, site, object});
  run().gave_back(object, run().releases_visible());
  if (mutex.robust() && data.__nusers == owner_died) data.__nusers = not_recoverable;
  mutex.give_back();
  return 0;
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  if (controlled() && run().is_held(mutex)) misuse(NORN_SITE, "a mutex is initialised anew while it is locked", mutex);
  if (controlled()) begins_or_ends(mutex, NORN_SITE);
  return NORN_REAL(pthread_mutex_init)(mutex, attributes);
}

NORN_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (!controlled()) return take_natively(mutex, [&] { return NORN_REAL(pthread_mutex_lock)(mutex); });
  return lock_mutex(mutex, Op::mutex_lock, NORN_SITE);
}

NORN_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!controlled()) return take_natively(mutex, [&] { return NORN_REAL(pthread_mutex_trylock)(mutex); });
  return lock_mutex(mutex, Op::mutex_try_lock, NORN_SITE);
}

NORN_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) {
  if (!controlled())
    return take_natively(mutex,
                         [&] { return NORN_REAL(pthread_mutex_timedlock)(mutex, NativeDeadline(deadline).get()); });
  return lock_mutex_in_time(mutex, CLOCK_REALTIME, deadline, NORN_SITE);
}

NORN_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) {
  if (!controlled())
    return take_natively(
        mutex, [&] { return NORN_REAL(pthread_mutex_clocklock)(mutex, clock, NativeDeadline(deadline).get()); });
  return lock_mutex_in_time(mutex, clock, deadline, NORN_SITE);
}

NORN_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!controlled()) {
    noise_point();
    return NORN_REAL(pthread_mutex_unlock)(mutex);
  }
  return unlock_mutex(mutex, NORN_SITE);
}

NORN_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) {
  if (!controlled()) return NORN_REAL(pthread_mutex_consistent)(mutex);
  if (!Mutex(mutex).robust() || mutex->__data.__nusers != owner_died) return EINVAL;
  mutex->__data.__nusers = consistent;
  return 0;
}

NORN_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!controlled()) return NORN_REAL(pthread_mutex_destroy)(mutex);
  destroy_mutex(mutex, NORN_SITE);
  return 0;
}

// A spin lock that waits by spinning is a mutex whose waiting nobody sees.

namespace {

void expect_spin_lock(pthread_spinlock_t* lock, const void* site) {
  touches(const_cast<int*>(lock), site);
  expect_alive(const_cast<int&>(*lock), site, "a spin lock is used that has been destroyed");
}

}  // namespace

NORN_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!controlled())
    return take_natively(const_cast<const int*>(lock), [&] { return NORN_REAL(pthread_spin_lock)(lock); });
  const Site site = NORN_SITE;
  expect_spin_lock(lock, site);
  run().perform({Op::spin_lock, site, const_cast<int*>(lock)});
  run().took(const_cast<int*>(lock), Op::spin_lock, site);
  *lock = -exec::owner_mark(self());
  return 0;
}

NORN_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!controlled())
    return take_natively(const_cast<const int*>(lock), [&] { return NORN_REAL(pthread_spin_trylock)(lock); });
  expect_spin_lock(lock, NORN_SITE);
  run().perform_try({Op::spin_try_lock, NORN_SITE, const_cast<int*>(lock)});
  if (*lock != exec::spin_lock_free) {
    run().commuted();
    return EBUSY;
  }
  run().took(const_cast<int*>(lock), Op::spin_try_lock, NORN_SITE);
  *lock = -exec::owner_mark(self());
  return 0;
}

NORN_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!controlled()) return NORN_REAL(pthread_spin_unlock)(lock);
  expect_spin_lock(lock, NORN_SITE);
  if (*lock != -exec::owner_mark(self()))
    misuse(NORN_SITE, "the thread unlocks a spin lock that it does not hold", lock);
  if (run().releases_visible()) run().perform({Op::spin_unlock, NORN_SITE, const_cast<int*>(lock)});
  run().gave_back(const_cast<int*>(lock), run().releases_visible());
  *lock = exec::spin_lock_free;
  return 0;
}

NORN_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (!controlled()) return NORN_REAL(pthread_spin_destroy)(lock);
  expect_alive(const_cast<int&>(*lock), NORN_SITE, "a spin lock is destroyed that has been destroyed before");
  if (*lock != exec::spin_lock_free) misuse(NORN_SITE, "a spin lock is destroyed while it is locked", lock);
  ends(const_cast<int&>(*lock), NORN_SITE);
  return 0;
}
