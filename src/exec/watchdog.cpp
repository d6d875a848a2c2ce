#include "exec/watchdog.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "exec/carrier.hpp"
#include "exec/real.hpp"
#include "exec/scheduler.hpp"
#include "explore/explorer.hpp"

namespace norn::exec {
namespace {

constexpr double period = 0.05;

std::atomic<bool> watching{false};
std::atomic<double> patience{0};
std::atomic<double> tick_period{HUGE_VAL};
std::atomic<std::uint32_t> ticked{0};
std::atomic<std::chrono::steady_clock::time_point> run_deadline{std::chrono::steady_clock::time_point::max()};

/// Ends a run that makes no progress, by a signal to the OS thread that executes the program.
class Watchdog {
 public:
  void look() {
    Scheduler* run = scheduler;
    if (is_late() || is_ignored()) is_overdue = true;
    if (!watching || run == nullptr || !run->in_run()) {
      unchanged_ = 0;
      return;
    }
    if (is_late()) run->cut_short();
    const std::uint64_t beat = run->record().heartbeat;
    unchanged_ = beat == seen_ ? unchanged_ + period : 0;
    seen_ = beat;
    const double most = stop_requested ? std::min<double>(patience, patience_of_interrupter) : patience.load();
    if (unchanged_ < most) return;
    unchanged_ = 0;
    NORN_REAL(syscall)(SYS_tgkill, getpid(), run->current().seat.os_thread, watchdog_signal(), 0);
  }

 private:
  /// Whether it was said some time ago that the exploration is to end.
  bool is_ignored() {
    since_request_ = stop_requested ? since_request_ + period : 0;
    return since_request_ >= patience_of_interrupter;
  }

  std::uint64_t seen_ = 0;
  double unchanged_ = 0;
  double since_request_ = 0;
};

void* watch(void*) {
  sigset_t all;
  sigfillset(&all);
  NORN_REAL(pthread_sigmask)(SIG_BLOCK, &all, nullptr);
  Watchdog watchdog;
  double since_tick = 0;
  for (;;) {
    const timespec pause{0, static_cast<long>(period * 1e9)};
    NORN_REAL(syscall)(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, reinterpret_cast<long>(&pause), 0);
    watchdog.look();
    since_tick += period;
    if (since_tick < tick_period) continue;
    since_tick = 0;
    ticked = 1;
  }
}

}  // namespace

int watchdog_signal() { return SIGRTMAX - 3; }

std::atomic<std::uint32_t>& tick() { return ticked; }

void set_tick_period(double seconds) { tick_period = seconds; }

void set_run_deadline(std::chrono::steady_clock::time_point deadline) { run_deadline = deadline; }

bool is_late() {
  // Most runs end by themselves in no time.
  constexpr std::chrono::milliseconds patience_with_runs{250};
  const std::chrono::steady_clock::time_point deadline = run_deadline;
  if (deadline == std::chrono::steady_clock::time_point::max()) return false;
  // The clock of the C++ library shows the program's virtual time while a run goes on.
  timespec now{};
  NORN_REAL(syscall)(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  const auto real = std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  return real >= deadline.time_since_epoch() + patience_with_runs;
}

void start_watchdog(double seconds) {
  // A forked process does not have the thread of the one it comes from.
  static pid_t started_in = 0;
  patience = seconds > 0 ? seconds : HUGE_VAL;
  watching = true;
  if (started_in == getpid()) return;
  started_in = getpid();
  start_os_thread(watch, nullptr, 64 << 10);
}

void stop_watchdog() { watching = false; }

}  // namespace norn::exec
