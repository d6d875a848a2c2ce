#pragma once

// Random programs: small, but with few objects and few kinds of them, so that the threads meet.

#include <cstdint>

#include "description.hpp"

namespace random_programs {

enum class Theme : std::uint8_t {
  primitives,  ///< of all kinds
  constructs,  ///< some of what include/norn/ offers
  readers,     ///< locks that are shared
  both,        ///< mutexes that are taken together
};

/// The program of a seed; the same on every machine. With `failing` threads make assertions that often do not hold.
Program generate(std::uint64_t seed, Theme theme = Theme::primitives, bool failing = false);

}  // namespace random_programs
