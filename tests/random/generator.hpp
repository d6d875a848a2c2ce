#pragma once

// Random programs: small, but with few objects and few kinds of them, so that the threads meet.

#include <cstdint>

#include "description.hpp"

namespace random_programs {

/// The program of a seed; the same on every machine. With `constructs` it uses some of what include/norn/ offers.
Program generate(std::uint64_t seed, bool constructs = false);

}  // namespace random_programs
