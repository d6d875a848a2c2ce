#pragma once

// How much there is below the path of a depth-first search over choices, by weighted backtracking (P. Kilby, J. Slaney,
// S. Thiébaux, T. Walsh, "Estimating search tree size", AAAI 2006): choices that have not been tried are taken to be
// like those that have. How unlike those are says how uncertain that is.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/estimate.hpp"

namespace norn {

/// A number of runs, and the square of the standard deviation.
struct Guess {
  static constexpr double most_runs = 1e140;  ///< more than that may be anything; its square is still a number

  double runs = 0;
  double variance = 0;

  Guess& operator+=(const Guess& other) {
    runs = std::min(runs + other.runs, most_runs);
    variance = std::min(variance + other.variance, most_runs * most_runs);
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
  [[nodiscard]] Guess others(std::size_t count, const Guess* current, const Variety& variety) const;

 private:
  std::uint32_t count_ = 0;
  double runs_ = 0;
  double squares_ = 0;
};

/// How sure one can be of this. A search in a fixed order begins where threads follow one another, and that part is not
/// like the others: it can be smaller by far.
Size sure(const Guess& left);

/// How many runs each node of the path of a depth-first search has left, without what is below the next node. Of a node
/// it is known what is `done` and how many choices are `untried`.
template <typename Node>
std::vector<Size> sizes_left(const std::vector<Node>& path, const Variety& variety) {
  std::vector<double> shares(path.size());
  Guess below;
  Guess whole;
  for (std::size_t i = path.size(); i-- > 0;) {
    const Guess others = path[i].done.others(path[i].untried, i + 1 < path.size() ? &below : nullptr, variety);
    shares[i] = others.runs;
    whole += others;
    below += others;
    below.runs += path[i].done.runs();
  }
  return divided(sure(whole), shares);
}

}  // namespace norn
