#pragma once

// Random programs: small, but with few objects and few kinds of them, so that the threads meet.

#include <cstdint>

#include "description.hpp"

namespace random_programs {

/// The program of a seed; the same on every machine.
Program generate(std::uint64_t seed);

}  // namespace random_programs
