#pragma once

#include <chrono>
#include <deque>
#include <nlohmann/json.hpp>

namespace norn {

/// A line on standard error that says how a long exploration gets on, if that is a terminal. It is written again and
/// again, and gone in the end.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether anybody sees it.
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// What the runtime says.
  void show(const nlohmann::json& progress);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  struct Moment {
    Clock::time_point when;
    std::uint64_t runs;
  };

  double rate(std::uint64_t runs);

  bool is_on_;
  bool is_there_ = false;
  Clock::time_point start_ = Clock::now();
  std::deque<Moment> moments_;  ///< the last seconds
};

}  // namespace norn
