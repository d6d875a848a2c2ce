#pragma once

#include <cstddef>
#include <span>

#include "support/options.hpp"

namespace norn::coverage {

/// The coefficient of determination of a linear regression of `values` over their numbers: how much of what they vary
/// is explained by growth. 0 if they are all the same.
double r_squared(std::span<const double> values);

/// Section 3.3 of the paper: coverage grows no more, as far as the last `window` runs show. `covered`: how much was
/// covered after each run.
bool is_saturated(std::span<const double> covered, std::size_t window, double threshold);

/// How many runs the window has; 0: coverage is not what ends the exploration. Unless the user says otherwise, it is if
/// nothing else does.
std::size_t saturation_window(const Options& options);

}  // namespace norn::coverage
