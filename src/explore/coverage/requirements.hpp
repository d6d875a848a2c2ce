#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "explore/coverage/pair_set.hpp"

namespace norn::coverage {

/// All requirements that are known, covered or not.
class Requirements {
 public:
  struct State {
    bool estimated = false;        ///< before anything was covered; others were found later
    std::uint64_t covered_in = 0;  ///< the first run that covered it, from 1; 0: none
    std::uint64_t times = 0;       ///< runs that covered it
    bool covered_before = false;   ///< by an earlier exploration
  };

  /// True if it is new.
  bool add(const Pair& pair, bool estimated);
  /// It was covered by an earlier exploration.
  void add_covered(const Pair& pair);
  /// A run covered it. Requirements that nobody estimated are added.
  void cover(const Pair& pair, std::uint64_t run);

  // What the controller asks at every step; no cost depends on how many requirements there are.

  [[nodiscard]] bool is_uncovered(const Pair& pair) const { return uncovered_.contains(pair); }
  /// Nobody has covered it, whether it is a requirement that is known or not.
  [[nodiscard]] bool is_new(const Pair& pair) const { return !seen_.contains(pair); }
  /// How many uncovered ones have this line in them, as the first or as the second.
  [[nodiscard]] std::uint32_t relevant(Location location) const {
    return location < relevant_.size() ? relevant_[location] : 0;
  }

  /// All that is, between runs.
  [[nodiscard]] std::vector<Pair> uncovered() const;

  // For the time of a run only: what it has covered is not to be covered again.

  void cover_for_now(const Pair& pair);
  void end_run();

  [[nodiscard]] const std::map<Pair, State>& all() const { return all_; }
  [[nodiscard]] std::uint64_t covered() const { return covered_; }
  [[nodiscard]] std::uint64_t estimated() const { return estimated_; }

 private:
  void set_uncovered(const Pair& pair, bool uncovered);

  std::map<Pair, State> all_;
  std::uint64_t covered_ = 0;
  std::uint64_t estimated_ = 0;
  PairSet uncovered_;
  PairSet seen_;
  std::vector<std::uint32_t> relevant_;
  std::vector<Pair> for_now_;  ///< uncovered but for the run at hand
  std::vector<Pair> seen_for_now_;
};

}  // namespace norn::coverage
