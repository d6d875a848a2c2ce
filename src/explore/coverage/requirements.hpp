#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "trace/event.hpp"

namespace norn::coverage {

/// What a coverage criterion asks for: that something happens at one line of the source, and then at another.
using Pair = std::pair<Location, Location>;

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

  [[nodiscard]] bool is_uncovered(const Pair& pair) const {
    if (pair.first >= rows_.size()) return false;
    const std::vector<std::uint64_t>& row = rows_[pair.first];
    const std::size_t word = pair.second / bits;
    return word < row.size() && (row[word] >> pair.second % bits & 1) != 0;
  }
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
  static constexpr unsigned bits = 64;
  void set_uncovered(const Pair& pair, bool uncovered);

  std::map<Pair, State> all_;
  std::uint64_t covered_ = 0;
  std::uint64_t estimated_ = 0;
  std::vector<std::vector<std::uint64_t>> rows_;  ///< by the first line: a bit for every second that is uncovered
  std::vector<std::uint32_t> relevant_;
  std::vector<Pair> for_now_;
};

}  // namespace norn::coverage
