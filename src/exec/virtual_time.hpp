#pragma once

#include <cstdint>

namespace norn::exec {

// Virtual clocks begin at values that hardly anything else in a program has, so that times can be told from other
// numbers when two states of a program are compared.

inline constexpr std::uint64_t one_second = 1'000'000'000;
/// What a monotonic clock shows first: 63 years after the machine was started.
inline constexpr std::uint64_t first_clock = 2'000'000'000 * one_second;
/// What a calendar shows first: a day in November 2023.
inline constexpr std::uint64_t first_calendar = 1'700'000'000 * one_second;
/// Reading a clock takes time, so that loops on it end.
inline constexpr std::uint64_t clock_tick = 1'000;
/// How much time passes for a thread that waits for it in a loop.
inline constexpr std::uint64_t time_step = 3'600 * one_second;

inline std::uint64_t to_calendar(std::uint64_t clock) { return clock - first_clock + first_calendar; }
inline std::uint64_t from_calendar(std::uint64_t time) {
  return time < first_calendar ? 0 : time - first_calendar + first_clock;
}

}  // namespace norn::exec
