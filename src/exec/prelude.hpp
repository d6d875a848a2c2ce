#pragma once

#include <atomic>
#include <cstdint>

#include "exec/phase.hpp"
#include "exec/virtual_time.hpp"
#include "support/random.hpp"

// What the program does before main() is not explored, but it has to be the same in every process that explores it, and
// what it leaves has to fit what main() sees: its clocks and random numbers are Norn's from the start.

namespace norn::exec {

inline std::atomic<std::uint64_t> prelude_clock = first_clock;
inline std::atomic<std::uint64_t> prelude_random = 1;
inline bool prelude_is_over = false;

/// Whether `norn check` has started this process, and main() has not begun.
bool in_prelude();

inline std::uint64_t draw_in_prelude() { return SplitMix64(prelude_random += 0x9e3779b97f4a7c15)(); }

}  // namespace norn::exec
