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

/// What was foreseen earlier in the same exploration. If it has turned out to be too little, again and again, so may be
/// what is foreseen now: what is yet to come is unlike what has been seen.
class Hindsight {
 public:
  /// Whether there is something to note after so many runs: there is no need to know more than a few times.
  [[nodiscard]] bool is_due(std::uint64_t runs) const {
    return foreseen_.empty() || static_cast<double>(runs) >= 1.5 * foreseen_.back().runs;
  }
  /// After so many runs, so many were foreseen in all.
  void note(std::uint64_t runs, double whole) { foreseen_.push_back({static_cast<double>(runs), whole}); }
  /// By which factor what was foreseen not long ago, but long enough, was too little, if `whole` is right now; 1 if
  /// that may be by chance.
  [[nodiscard]] double shortfall(std::uint64_t runs, double whole) const;
  /// As much more of each part as that suggests, and in any case more uncertain.
  void correct(std::vector<Size>& parts, std::uint64_t runs) const;

 private:
  struct Foreseen {
    double runs;
    double whole;
  };
  std::vector<Foreseen> foreseen_;
};

/// What the whole comes to.
struct Estimate {
  double explored = 1;    ///< which part of it, from 0 to 1
  double executions = 0;  ///< in the whole
  double low = 0;         ///< between these most likely
  double high = 0;
};
Estimate estimate(std::uint64_t executions, const Size& left);

}  // namespace norn
