// Clocks and sleeps: virtual time. Nobody waits for real time, and clocks show the same in every run with the same
// schedule.

#include <sched.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "exec/prelude.hpp"
#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

using exec::one_second;

bool shows_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

bool is_virtual() { return controlled() || exec::in_prelude(); }

std::uint64_t now() { return controlled() ? run().now() : exec::prelude_clock += exec::clock_tick; }

void advance(std::uint64_t nanoseconds, const void* site) {
  if (controlled())
    run().advance(nanoseconds, site);
  else
    exec::prelude_clock += nanoseconds;
}

std::uint64_t read_clock(clockid_t clock) {
  const std::uint64_t now = frontend::now();
  return shows_calendar(clock) ? exec::to_calendar(now) : now;
}

timespec to_timespec(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / one_second), static_cast<long>(nanoseconds % one_second)};
}

std::uint64_t to_nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  return static_cast<std::uint64_t>(time.tv_sec) * one_second + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

int sleep_for(const timespec& duration, timespec* rest, const void* site) {
  if (!is_time(duration) || duration.tv_sec < 0) return EINVAL;
  advance(to_nanoseconds(duration), site);
  if (rest != nullptr) *rest = {0, 0};
  return 0;
}

std::uint64_t deadline_of(const timespec& deadline, clockid_t clock) {
  const std::uint64_t time = to_nanoseconds(deadline);
  return shows_calendar(clock) ? exec::from_calendar(time) : time;
}

void pass_deadline(const timespec* deadline, clockid_t clock, const void* site) {
  const std::uint64_t goal = deadline_of(*deadline, clock);
  const std::uint64_t now = controlled() ? run().current().clock : exec::prelude_clock.load();
  if (site == nullptr) site = run().current().pending.site;
  advance(goal > now ? goal - now : 0, site);
}

/// Each of the virtual clocks begins at another time, so the deadline tells which one it is about.
NativeDeadline::NativeDeadline(const timespec* deadline) : deadline_(deadline) {
  if (deadline == nullptr || !exec::in_prelude()) return;
  const std::uint64_t time = to_nanoseconds(*deadline);
  const bool is_monotonic = time >= exec::first_clock;
  const std::uint64_t goal = is_monotonic ? time : exec::from_calendar(time);
  const std::uint64_t now = exec::prelude_clock;
  const std::uint64_t left = goal > now ? goal - now : 0;
  NORN_REAL(clock_gettime)(is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, &real_);
  real_ = to_timespec(to_nanoseconds(real_) + left);
  deadline_ = &real_;
  exec::prelude_clock += left;
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!is_virtual() || !is_clock(clock)) return NORN_REAL(clock_gettime)(clock, time);
  writes(time, sizeof *time, NORN_CALLER);
  *time = to_timespec(read_clock(clock));
  return 0;
}

NORN_EXPORT int gettimeofday(timeval* time, void* zone) noexcept {
  if (!is_virtual()) return NORN_REAL(gettimeofday)(time, zone);
  writes(time, sizeof *time, NORN_CALLER);
  const timespec now = to_timespec(read_clock(CLOCK_REALTIME));
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

NORN_EXPORT time_t time(time_t* result) noexcept {
  if (!is_virtual()) return NORN_REAL(time)(result);
  const auto now = static_cast<time_t>(read_clock(CLOCK_REALTIME) / one_second);
  if (result != nullptr) {
    writes(result, sizeof *result, NORN_CALLER);
    *result = now;
  }
  return now;
}

NORN_EXPORT int timespec_get(timespec* time, int base) noexcept {
  if (!is_virtual()) return NORN_REAL(timespec_get)(time, base);
  if (base != TIME_UTC) return 0;
  writes(time, sizeof *time, NORN_CALLER);
  *time = to_timespec(read_clock(CLOCK_REALTIME));
  return base;
}

NORN_EXPORT clock_t clock() noexcept {
  if (!is_virtual()) return NORN_REAL(clock)();
  return static_cast<clock_t>((frontend::now() - exec::first_clock) / 1000);
}

NORN_EXPORT clock_t times(tms* buffer) noexcept {
  if (!is_virtual()) return NORN_REAL(times)(buffer);
  const auto ticks = static_cast<clock_t>((frontend::now() - exec::first_clock) / 10'000'000);
  *buffer = {ticks, 0, 0, 0};
  return ticks;
}

NORN_EXPORT int nanosleep(const timespec* duration, timespec* rest) {
  if (!is_virtual()) return NORN_REAL(nanosleep)(duration, rest);
  const int error = sleep_for(*duration, rest, NORN_SITE);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

NORN_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  if (!is_virtual()) return NORN_REAL(clock_nanosleep)(clock, flags, time, rest);
  if (clock == CLOCK_THREAD_CPUTIME_ID || !is_clock(clock)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) return sleep_for(*time, rest, NORN_SITE);
  if (!is_time(*time) || time->tv_sec < 0) return EINVAL;
  pass_deadline(time, clock, NORN_SITE);
  return 0;
}

NORN_EXPORT int usleep(useconds_t microseconds) {
  if (!is_virtual()) return NORN_REAL(usleep)(microseconds);
  frontend::advance(std::uint64_t{microseconds} * 1000, NORN_SITE);
  return 0;
}

NORN_EXPORT unsigned sleep(unsigned seconds) {
  if (!is_virtual()) return NORN_REAL(sleep)(seconds);
  frontend::advance(seconds * one_second, NORN_SITE);
  return 0;
}

NORN_EXPORT int sched_yield() noexcept {
  if (!controlled()) return NORN_REAL(sched_yield)();
  const Site site = NORN_SITE;
  run().give_way(site);
  return 0;
}

// Calendars. What they know of time zones is the C library's own business.

NORN_EXPORT tm* gmtime_r(const time_t* time, tm* parts) noexcept {
  reads(time, sizeof *time, NORN_CALLER);
  writes(parts, sizeof *parts, NORN_CALLER);
  return NORN_REAL(gmtime_r)(time, parts);
}

NORN_EXPORT tm* localtime_r(const time_t* time, tm* parts) noexcept {
  reads(time, sizeof *time, NORN_CALLER);
  writes(parts, sizeof *parts, NORN_CALLER);
  return NORN_REAL(localtime_r)(time, parts);
}

/// All threads get the same structure, which is a race unless something orders them.
NORN_EXPORT tm* gmtime(const time_t* time) noexcept {
  reads(time, sizeof *time, NORN_CALLER);
  tm* const parts = NORN_REAL(gmtime)(time);
  writes(parts, sizeof *parts, NORN_CALLER);
  return parts;
}

NORN_EXPORT tm* localtime(const time_t* time) noexcept {
  reads(time, sizeof *time, NORN_CALLER);
  tm* const parts = NORN_REAL(localtime)(time);
  writes(parts, sizeof *parts, NORN_CALLER);
  return parts;
}

NORN_EXPORT char* asctime_r(const tm* parts, char* text) noexcept {
  reads(parts, sizeof *parts, NORN_CALLER);
  return wrote_text(NORN_REAL(asctime_r)(parts, text), NORN_CALLER);
}

NORN_EXPORT char* ctime_r(const time_t* time, char* text) noexcept {
  reads(time, sizeof *time, NORN_CALLER);
  return wrote_text(NORN_REAL(ctime_r)(time, text), NORN_CALLER);
}

/// These have one text for all threads.
NORN_EXPORT char* asctime(const tm* parts) noexcept {
  reads(parts, sizeof *parts, NORN_CALLER);
  return wrote_text(NORN_REAL(asctime)(parts), NORN_CALLER);
}

NORN_EXPORT char* ctime(const time_t* time) noexcept {
  reads(time, sizeof *time, NORN_CALLER);
  return wrote_text(NORN_REAL(ctime)(time), NORN_CALLER);
}

NORN_EXPORT std::size_t strftime(char* text, std::size_t room, const char* format, const tm* parts) noexcept {
  reads_string(format, NORN_CALLER);
  reads(parts, sizeof *parts, NORN_CALLER);
  const std::size_t length = NORN_REAL(strftime)(text, room, format, parts);
  if (length != 0) writes(text, length + 1, NORN_CALLER);
  return length;
}
