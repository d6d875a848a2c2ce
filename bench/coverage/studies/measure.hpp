#pragma once

// What `norn check` covers of a subject, as its summary file says.

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace studies {

/// How much was covered after so many runs, and after so many seconds.
struct Point {
  double run = 0;
  double covered = 0;
  double seconds = 0;
};

using LinePair = std::pair<std::string, std::string>;

struct Measured {
  std::vector<Point> curve;  ///< where it grew, and the last run
  std::set<LinePair> estimated;
  std::set<LinePair> covered;
  std::array<double, 3> rules{};  ///< how often each of them decided

  [[nodiscard]] double runs() const { return curve.empty() ? 0 : curve.back().run; }
  [[nodiscard]] double covered_after(double run) const;
  [[nodiscard]] double covered_within(double seconds) const;
  /// Of the run with this number, as far as the runs between two points took equally long.
  [[nodiscard]] double seconds_at(double run) const;
  /// Where coverage grows no more: `window` runs before do not explain it by growth (section 3.3 of the paper).
  [[nodiscard]] std::optional<Point> saturation(std::size_t window) const;
};

/// One exploration to measure.
struct Task {
  std::string program;
  std::vector<std::string> options;  ///< of norn check
};

/// Throws std::runtime_error if norn does not do it.
Measured measure(const std::string& norn, const Task& task);

/// The same for many, so many at a time.
std::vector<Measured> measure_all(const std::string& norn, const std::vector<Task>& tasks, unsigned at_a_time);

}  // namespace studies
