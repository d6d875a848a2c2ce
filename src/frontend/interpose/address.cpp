// Waiting for an address: futexes, which libstdc++ uses for futures, and C++20's atomic waiting.

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "frontend/interpose/interpose.hpp"
#include "norn/runtime_abi.h"
#include "trace/dependency.hpp"

namespace norn::frontend {
namespace {

/// False if the time ran out.
bool sleep_at(void* address, bool timed, const void* site) {
  Thread& me = run().current();
  me.woken = false;
  run().perform({timed ? Op::address_timed_sleep : Op::address_sleep, site, address, nullptr, run().next_ticket()});
  // Chosen by the scheduler means expired; otherwise another thread made this one ready.
  return me.woken;
}

void wake(ThreadId waiter) {
  run().thread(waiter).woken = true;
  run().make_ready(run().thread(waiter));
}

int wake_at(void* address, int count, const void* site) {
  const std::uint16_t chosen = run().perform({Op::address_wake, site, address, nullptr, count == 1 ? 1U : 2U});
  if (count == 1) {
    if (chosen == no_thread) return 0;
    wake(chosen);
    return 1;
  }
  int woken = 0;
  for (const ThreadId waiter : run().sleepers(address, Op::address_sleep, Op::address_timed_sleep)) {
    if (woken == count) break;
    wake(waiter);
    ++woken;
  }
  return woken;
}

long fail_with(int error) {
  errno = error;
  return -1;
}

/// `deadline` is absolute for the bitset form and relative for the plain one.
long futex_wait(int* address, int expected, const timespec* deadline, bool absolute, clockid_t clock,
                const void* site) {
  run().perform({Op::address_wait, site, address, nullptr, state::of_value(expected)});
  run().event().before = state::of_value(*address);
  if (*address != expected) {
    run().commuted();
    return fail_with(EAGAIN);
  }
  if (sleep_at(address, deadline != nullptr, site)) return 0;
  if (absolute) {
    pass_deadline(deadline, clock);
  } else {
    run().advance(
        static_cast<std::uint64_t>(deadline->tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(deadline->tv_nsec),
        site);
  }
  return fail_with(ETIMEDOUT);
}

}  // namespace

long futex(long a, long b, long c, long d, const void* site) {
  auto* address = reinterpret_cast<int*>(a);
  const int operation = static_cast<int>(b) & FUTEX_CMD_MASK;
  const auto* deadline = reinterpret_cast<const timespec*>(d);
  const clockid_t clock = (b & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation) {
    case FUTEX_WAIT: return futex_wait(address, static_cast<int>(c), deadline, false, clock, site);
    case FUTEX_WAIT_BITSET: return futex_wait(address, static_cast<int>(c), deadline, true, clock, site);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake_at(address, static_cast<int>(c), site);
    default: run().cut_uncontrolled("the program uses a futex operation other than wait and wake", site);
  }
}

namespace {

void wait_natively(const void* address, unsigned size, const void* old) {
  // The kernel compares 32 bits. Other sizes look again at intervals, because a change may be in the other bits.
  constexpr timespec interval{0, 100'000};
  int word;
  std::memcpy(&word, old, size < sizeof word ? size : sizeof word);
  if (std::memcmp(address, old, size) != 0) return;
  if (size == sizeof word) {
    NORN_REAL(syscall)(SYS_futex, const_cast<void*>(address), FUTEX_WAIT, word, nullptr, nullptr, 0);
  } else {
    NORN_REAL(nanosleep)(&interval, nullptr);
  }
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void norn_address_wait(const void* address, unsigned size, const void* old) {
  if (!controlled()) return wait_natively(address, size, old);
  auto* object = const_cast<void*>(address);
  run().perform({Op::address_wait, NORN_SITE, object, nullptr, state::of_bytes(old, size)});
  run().event().before = state::of_bytes(address, size);
  if (NORN_REAL(memcmp)(address, old, size) != 0) return run().commuted();
  sleep_at(object, false, NORN_SITE);
}

NORN_EXPORT void norn_address_notify(const void* address, int all) {
  auto* object = const_cast<void*>(address);
  if (controlled()) return void(wake_at(object, all != 0 ? INT32_MAX : 1, NORN_SITE));
  NORN_REAL(syscall)(SYS_futex, object, FUTEX_WAKE, all != 0 ? INT32_MAX : 1, nullptr, nullptr, 0);
}
