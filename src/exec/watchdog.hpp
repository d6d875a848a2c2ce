#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace norn::exec {

/// When the run at hand should be over, and whether it goes on long after that.
void set_run_deadline(std::chrono::steady_clock::time_point deadline);
bool is_late();

/// Starts watching that the run at hand makes progress within `seconds` (0: whenever it likes). If the user wants to
/// stop, a run that makes none is cut after a moment.
void start_watchdog(double seconds);
void stop_watchdog();

/// The signal that a run is cut with.
int watchdog_signal();

/// How long somebody who has asked for the end waits for a run that makes no progress, in seconds.
inline constexpr double patience_of_interrupter = 0.5;

/// Becomes 1 every so many seconds, for as long as there is a watchdog; whoever sees it makes it 0.
std::atomic<std::uint32_t>& tick();
void set_tick_period(double seconds);

}  // namespace norn::exec
