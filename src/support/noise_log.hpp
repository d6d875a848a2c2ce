#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace norn {

/// Tells the runtime in a program that is not under control to make noise: `kind probability seed descriptor`, where
/// the descriptor is that of a NoiseLog.
inline constexpr const char* noise_variable = "NORN_NOISE";

/// What a run with noise leaves behind, in memory shared with whoever started it: which locks were taken, in the order
/// in which each of them was.
struct NoiseLog {
  static constexpr unsigned depth = 12;
  static constexpr std::uint64_t most = 1'000'000;

  struct Entry {
    std::uint64_t lock;
    std::uint64_t frames[depth];      ///< return addresses, the innermost first; 0 after the last
    std::atomic<std::uint32_t> done;  ///< not 0: all of it has been written
  };

  std::atomic<std::uint64_t> count;  ///< may be more than there is room for
  char modules[1U << 16];            ///< where the program and its libraries lie, as JSON
  Entry entries[most];
};

}  // namespace norn
