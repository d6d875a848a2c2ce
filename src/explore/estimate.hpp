#pragma once

// How much there is to explore, from what has been explored.

#include <cstdint>
#include <span>
#include <vector>

namespace norn {

/// As much as this is more than can be said.
inline constexpr double endless = 1e300;

/// An uncertain number of runs.
struct Size {
  double runs = 0;
  double low = 0;  ///< between these most likely
  double high = 0;

  /// What is wrong with one is likely to be wrong with the other in the same direction.
  Size& operator+=(const Size& other) {
    runs += other.runs;
    low += other.low;
    high += other.high;
    return *this;
  }
  friend Size operator*(const Size& size, double factor) {
    return {size.runs * factor, size.low * factor, size.high * factor};
  }
};

/// What several attempts to foresee the same number come to (explore/survey.hpp). Each is right on average.
Size foreseen(std::span<const double> attempts);
/// Parts of it that are in proportion to these.
std::vector<Size> divided(const Size& whole, std::span<const double> shares);

/// What the whole comes to.
struct Estimate {
  double explored = 1;    ///< which part of it, from 0 to 1
  double executions = 0;  ///< in the whole
  double low = 0;         ///< between these most likely
  double high = 0;
};
Estimate estimate(std::uint64_t executions, const Size& left);

}  // namespace norn
