// pthread_barrier_*, std::barrier.

#include <bit>

#include "frontend/interpose/interpose.hpp"
#include "norn/runtime_abi.h"

namespace norn::frontend {
namespace {

/// Who comes to a barrier first matters as soon as not everybody who uses it takes part every time.
[[noreturn]] void begin_anew_in_order(const void* site) {
  run().record().saw_uneven_barrier = true;
  run().end_run(End::repeats, site, {});
}

/// True for the last one. The others go on when it opens the barrier. `in_order`: it makes a difference who that is.
bool meet(void* object, unsigned long long& users, unsigned& arrived, std::size_t count, bool in_order,
          const void* site) {
  const bool has_bit = self() < 64;
  if (has_bit) users |= 1ULL << self();
  if (!has_bit || static_cast<std::size_t>(std::popcount(users)) > count) begin_anew_in_order(site);
  run().perform({in_order ? Op::barrier_arrive : Op::barrier_meet, site, object});
  if (!in_order) run().commuted();
  run().watch().released_too(object);
  if (++arrived == count) {
    arrived = 0;
    for (const ThreadId waiter : run().sleepers(object, Op::barrier_sleep, Op::barrier_sleep))
      run().link(LinkKind::met, object, waiter);
    run().watch().acquired(object);
    return true;
  }
  run().sleep({Op::barrier_sleep, site, object, nullptr, run().next_ticket()});
  run().watch().acquired(object);
  return false;
}

/// The last one has come, or has done what is to be done when all have met.
void open(void* object) {
  run().watch().released_too(object);
  for (const ThreadId waiter : run().sleepers(object, Op::barrier_sleep, Op::barrier_sleep))
    run().make_ready(run().thread(waiter));
}

bool has_waiters(const void* object) { return !run().sleepers(object, Op::barrier_sleep, Op::barrier_sleep).empty(); }

/// Where the order matters.
int arrive_in_order(exec::Barrier& barrier, const void* site) {
  run().perform({Op::barrier_arrive, site, &barrier});
  run().watch().released_too(&barrier);
  if (++barrier.arrived < barrier.count) {
    run().sleep({Op::barrier_sleep, site, &barrier, nullptr, run().next_ticket()});
    run().watch().acquired(&barrier);
    return 0;
  }
  barrier.arrived = 0;
  run().watch().acquired(&barrier);
  open(&barrier);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_barrier_init(pthread_barrier_t* object, const pthread_barrierattr_t* attributes,
                                     unsigned count) {
  if (controlled()) {
    if (has_waiters(object)) misuse(NORN_SITE, "a barrier is initialised anew while threads wait at it", object);
    begins_or_ends(object, NORN_SITE);
  }
  const int result = NORN_REAL(pthread_barrier_init)(object, attributes, count);
  if (result == 0) reinterpret_cast<exec::Barrier*>(object)->users = 0;
  return result;
}

NORN_EXPORT int pthread_barrier_wait(pthread_barrier_t* object) {
  if (!controlled()) return NORN_REAL(pthread_barrier_wait)(object);
  const Site site = NORN_SITE;
  auto& barrier = *reinterpret_cast<exec::Barrier*>(object);
  touches(object, site);  // before anything is read there: it may not be a barrier any more
  expect_alive(*object, site, "a barrier is used that has been destroyed");
  if (barrier.count == 0) misuse(site, "something is used as a barrier that has never been initialised as one", object);
  if (run().record().barriers_ordered) return arrive_in_order(barrier, site);
  if (meet(object, barrier.users, barrier.arrived, barrier.count, false, site)) open(object);
  // It is not said who gets this. What does not depend on who came last is the same in equivalent runs.
  return std::countr_zero(barrier.users) == self() ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

NORN_EXPORT int pthread_barrier_destroy(pthread_barrier_t* object) {
  if (!controlled()) return NORN_REAL(pthread_barrier_destroy)(object);
  expect_alive(*object, NORN_SITE, "a barrier is destroyed that has been destroyed before");
  if (has_waiters(object)) misuse(NORN_SITE, "a barrier is destroyed while threads wait at it", object);
  ends(*object, NORN_SITE);
  return 0;
}

NORN_EXPORT int norn_barrier_meet(norn_meeting* meeting, int in_order) {
  if (!controlled() || run().record().barriers_ordered) return -1;
  touches(meeting, NORN_SITE);
  return meet(meeting, meeting->users, meeting->arrived, meeting->expected, in_order != 0, NORN_SITE) ? 1 : 0;
}

NORN_EXPORT void norn_barrier_open(norn_meeting* meeting) { open(meeting); }

NORN_EXPORT void norn_barrier_in_order(void) {
  if (controlled() && !run().record().barriers_ordered) begin_anew_in_order(NORN_SITE);
}
