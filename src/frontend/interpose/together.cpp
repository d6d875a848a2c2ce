// Locks that are taken together: std::lock, std::scoped_lock.

#include <algorithm>
#include <span>

#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"
#include "support/address.hpp"

namespace norn::frontend {
namespace {

pthread_mutex_t* mutex_of(const norn_lockable& lock) { return static_cast<pthread_mutex_t*>(lock.object); }
pthread_rwlock_t* rwlock_of(const norn_lockable& lock) { return static_cast<pthread_rwlock_t*>(lock.object); }

/// Takes the first one and tries the others, as the C++ library does. Whichever cannot be had is the first next time.
template <typename Lock, typename TryLock, typename Unlock>
void lock_one_by_one(std::span<const norn_lockable> locks, Lock lock, TryLock try_lock, Unlock unlock) {
  const auto nth = [&](std::size_t first, std::size_t i) { return locks[(first + i) % locks.size()]; };
  std::size_t first = 0;
  for (std::size_t taken = 0; taken != locks.size();) {
    lock(nth(first, 0));
    for (taken = 1; taken != locks.size() && try_lock(nth(first, taken)); ++taken) {
    }
    if (taken == locks.size()) return;
    for (std::size_t i = taken; i-- > 0;) unlock(nth(first, i));
    first = (first + taken) % locks.size();
  }
}

void lock_natively(const norn_lockable& one) {
  one.is_rwlock != 0 ? pthread_rwlock_wrlock(rwlock_of(one)) : pthread_mutex_lock(mutex_of(one));
}
bool try_natively(const norn_lockable& one) {
  return (one.is_rwlock != 0 ? pthread_rwlock_trywrlock(rwlock_of(one)) : pthread_mutex_trylock(mutex_of(one))) == 0;
}
void unlock_natively(const norn_lockable& one) {
  one.is_rwlock != 0 ? pthread_rwlock_unlock(rwlock_of(one)) : pthread_mutex_unlock(mutex_of(one));
}

void lock_one(const norn_lockable& one, const void* site) {
  const int result = one.is_rwlock != 0 ? lock_rwlock(rwlock_of(one), Op::rwlock_write, site)
                                        : lock_mutex(mutex_of(one), Op::mutex_lock, site);
  if (result != 0) misuse(site, "the thread takes a lock that it already holds", one.object);
}
bool try_one(const norn_lockable& one, const void* site) {
  return (one.is_rwlock != 0 ? lock_rwlock(rwlock_of(one), Op::rwlock_try_write, site)
                             : lock_mutex(mutex_of(one), Op::mutex_try_lock, site)) == 0;
}
void unlock_one(const norn_lockable& one, const void* site) {
  one.is_rwlock != 0 ? unlock_rwlock(rwlock_of(one), site) : unlock_mutex(mutex_of(one), site);
}

/// See exec/together.cpp.
void lock_in_order(std::span<norn_lockable> locks, const void* site) {
  for (const norn_lockable& one : locks)
    if (one.is_rwlock == 0) expect_mutex(mutex_of(one), site);
  std::sort(locks.begin(), locks.end(),
            [](const norn_lockable& a, const norn_lockable& b) { return number(a.object) < number(b.object); });
  Thread& thread = run().current();
  thread.together = locks;
  for (; thread.parts != locks.size(); ++thread.parts) lock_one(locks[thread.parts], site);
  thread.together = {};
  thread.parts = 0;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void norn_lock_together(norn_lockable* all, unsigned count) {
  const std::span locks(all, count);
  const Site site = NORN_SITE;
  if (!controlled()) return lock_one_by_one(locks, lock_natively, try_natively, unlock_natively);
  if (run().may_take_in_order(locks)) return lock_in_order(locks, site);
  lock_one_by_one(
      locks, [&](const norn_lockable& one) { lock_one(one, site); },
      [&](const norn_lockable& one) { return try_one(one, site); },
      [&](const norn_lockable& one) { unlock_one(one, site); });
}
