// pthread_cond_*.

#include <cerrno>

#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"
#include "norn/runtime_abi.h"

namespace norn::frontend {
namespace {

/// A signalled waiter has only its mutex to wait for.
void wake(Thread& waiter) {
  run().link(LinkKind::woke, waiter.pending.object, waiter.id, waiter.pending.op);
  waiter.pending.op = Op::condition_relock;
  waiter.pending.object = waiter.pending.mutex;
}

clockid_t clock_of(const pthread_cond_t* condition) {
  // As pthread_cond_init stores it: bit 1 of the word after the two sequences.
  return (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* object, const timespec* deadline, clockid_t clock,
                       const void* site) {
  const Mutex mutex(object);
  touches(condition, site);
  expect_alive(*condition, site, destroyed_condition);
  if (deadline != nullptr && !(is_time(*deadline) && is_clock_of_deadlines(clock))) return EINVAL;
  if (!mutex.owned_by(self())) {
    if (mutex.expects_owner()) return EPERM;
    misuse(site, "the thread waits on a condition without holding its mutex", condition);
  }
  run().perform({Op::condition_wait, site, condition, object});
  // Only now: who waits depends on what others did with the condition before.
  for (const ThreadId waiter : run().sleepers(condition, Op::condition_sleep, Op::condition_timed_sleep))
    if (run().thread(waiter).pending.mutex != object)
      misuse(site, "two threads wait on a condition variable with different mutexes", condition);
  // Of a mutex that was taken several times only one is given back: nobody else gets it.
  const bool keeps_mutex = object->__data.__count > 1;
  if (keeps_mutex) {
    --object->__data.__count;
  } else {
    if (run().releases_visible()) {
      // Waiting and giving back the mutex are one step.
      ++run().current().step_depth;
      run().perform({Op::mutex_unlock, site, object});
      --run().current().step_depth;
    }
    run().gave_back(object, run().releases_visible());
    mutex.give_back();
  }

  const Op sleep = deadline == nullptr ? Op::condition_sleep : Op::condition_timed_sleep;
  const std::uint16_t alternative = run().perform({sleep, site, condition, object, run().next_ticket()});
  const bool signalled = run().current().pending.op == Op::condition_relock;
  const bool expired = !signalled && alternative == expires;
  if (!signalled) {
    if (expired) pass_deadline(deadline, clock);
    if (!expired) run().spend_spurious_wakeup();
    run().perform({Op::condition_relock, site, object, object});
  }
  if (keeps_mutex) {
    ++object->__data.__count;
  } else {
    mutex.take(self());
    run().took(object, Op::condition_relock, site);
  }
  return expired ? ETIMEDOUT : 0;
}

void destroy_condition(pthread_cond_t* condition, const void* site) {
  expect_alive(*condition, site, "a condition variable is destroyed that has been destroyed before");
  if (!run().sleepers(condition, Op::condition_sleep, Op::condition_timed_sleep).empty())
    misuse(site, "a condition variable is destroyed while threads wait on it", condition);
  ends(*condition, site);
}

void signal_condition(pthread_cond_t* condition, bool all, const void* site) {
  const Op op = all ? Op::condition_broadcast : Op::condition_signal;
  touches(condition, site);
  expect_alive(*condition, site, destroyed_condition);
  const std::uint16_t woken = run().perform({op, site, condition});
  touches(condition, site);
  run().publish_time(condition);
  if (!all && woken != no_thread) wake(run().thread(woken));
  if (!all) return;
  for (const ThreadId waiter : run().sleepers(condition, Op::condition_sleep, Op::condition_timed_sleep))
    wake(run().thread(waiter));
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  if (controlled() && !run().sleepers(condition, Op::condition_sleep, Op::condition_timed_sleep).empty())
    misuse(NORN_SITE, "a condition variable is initialised anew while threads wait on it", condition);
  if (controlled()) begins_or_ends(condition, NORN_SITE);
  return NORN_REAL(pthread_cond_init)(condition, attributes);
}

NORN_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!controlled()) return wait_natively(mutex, [&] { return NORN_REAL(pthread_cond_wait)(condition, mutex); });
  return wait_for_condition(condition, mutex, nullptr, CLOCK_REALTIME, NORN_SITE);
}

NORN_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  if (!controlled())
    return wait_natively(
        mutex, [&] { return NORN_REAL(pthread_cond_timedwait)(condition, mutex, NativeDeadline(deadline).get()); });
  return wait_for_condition(condition, mutex, deadline, clock_of(condition), NORN_SITE);
}

NORN_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                       const timespec* deadline) {
  if (!controlled())
    return wait_natively(mutex, [&] {
      return NORN_REAL(pthread_cond_clockwait)(condition, mutex, clock, NativeDeadline(deadline).get());
    });
  return wait_for_condition(condition, mutex, deadline, clock, NORN_SITE);
}

NORN_EXPORT int norn_condition_wait_until(void* of, void* held, int clock, const timespec* deadline) {
  auto* const condition = static_cast<pthread_cond_t*>(of);
  auto* const mutex = static_cast<pthread_mutex_t*>(held);
  if (!controlled())
    return clock < 0 ? pthread_cond_timedwait(condition, mutex, deadline)
                     : pthread_cond_clockwait(condition, mutex, clock, deadline);
  const clockid_t its_clock = clock < 0 ? clock_of(condition) : clock;
  const std::uint64_t begin = run().current().clock;
  const int result = wait_for_condition(condition, mutex, deadline, its_clock, NORN_SITE);
  const std::uint64_t end = deadline_of(*deadline, its_clock);
  if (result == 0 && end > begin) run().current().in_time_for = end;
  return result;
}

NORN_EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
  if (!controlled()) return NORN_REAL(pthread_cond_signal)(condition);
  signal_condition(condition, false, NORN_SITE);
  return 0;
}

NORN_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!controlled()) return NORN_REAL(pthread_cond_broadcast)(condition);
  signal_condition(condition, true, NORN_SITE);
  return 0;
}

NORN_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!controlled()) return NORN_REAL(pthread_cond_destroy)(condition);
  destroy_condition(condition, NORN_SITE);
  return 0;
}
