#pragma once

// How much there is to explore, from what has been explored (P. Kilby, J. Slaney, S. Thiébaux, T. Walsh, "Estimating
// search tree size", AAAI 2006). Where a search has several branches, those that it has not seen are taken to be like
// those that it has seen; if it sees them in random order, that is right on average. How unlike those are that it has
// seen says how uncertain that is.

#include <cstdint>

namespace norn {

/// An uncertain number of runs.
struct Size {
  double runs = 0;
  double variance = 0;

  Size& operator+=(const Size& other) {
    runs += other.runs;
    variance += other.variance;
    return *this;
  }
};

/// How unlike the branches at one point of a search are, on average over all points: what is taken where few of them
/// have been seen. That is near the root, so large parts of the search count for more than small ones.
class Variety {
 public:
  void add(double squared_deviation, double runs);
  /// The square of the standard deviation divided by the mean.
  [[nodiscard]] double squared_deviation() const;

 private:
  // To begin with, as if there had been a small part that is as unlike as that.
  double sum_ = 1;
  double runs_ = 1;
};

/// The branches at one point of a search that have been explored wholly.
class Branches {
 public:
  void add(double runs) {
    ++count_;
    runs_ += runs;
    squares_ += runs * runs;
  }
  [[nodiscard]] double runs() const { return runs_; }
  /// All of them have been explored.
  void tell(Variety& variety) const;
  /// So many more of them, while `current`, if there is one, is being explored.
  [[nodiscard]] Size others(std::size_t count, const Size* current, const Variety& variety) const;

 private:
  std::uint32_t count_ = 0;
  double runs_ = 0;
  double squares_ = 0;
};

/// What the whole comes to.
struct Estimate {
  double explored = 1;    ///< which part of it, from 0 to 1
  double executions = 0;  ///< in the whole
  double low = 0;         ///< between these most likely: within three standard deviations
  double high = 0;
};
Estimate estimate(std::uint64_t executions, const Size& left);

}  // namespace norn
