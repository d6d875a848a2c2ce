#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace norn::dpor {

using Clock = std::uint32_t;
/// Rows of clocks have a multiple of this many: they fit into one register of the processor.
inline constexpr unsigned clocks_at_a_time = 4;

inline std::array<Clock, clocks_at_a_time> clocks_at(const Clock* row) {
  std::array<Clock, clocks_at_a_time> clocks;
  std::memcpy(clocks.data(), row, sizeof clocks);
  return clocks;
}

/// Rows are short: calling memmove would take longer than copying.
inline void copy_clocks(const Clock* from, Clock* to, unsigned width) {
  for (unsigned i = 0; i < width; i += clocks_at_a_time) {
    const auto clocks = clocks_at(from + i);
    std::memcpy(to + i, clocks.data(), sizeof clocks);
  }
}

inline void join_clocks(Clock* into, const Clock* from, unsigned width) {
  for (unsigned i = 0; i < width; i += clocks_at_a_time) {
    auto mine = clocks_at(into + i);
    const auto others = clocks_at(from + i);
    for (unsigned k = 0; k < clocks_at_a_time; ++k) mine[k] = std::max(mine[k], others[k]);
    std::memcpy(into + i, mine.data(), sizeof mine);
  }
}

}  // namespace norn::dpor
