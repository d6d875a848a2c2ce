#include "explore/coverage/saturation.hpp"

namespace norn::coverage {

double r_squared(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double sum_x = 0;
  double sum_y = 0;
  double sum_xy = 0;
  double sum_xx = 0;
  double sum_yy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>(i);
    // Coverage is large and grows little: relative to the first value, nothing is lost by rounding.
    const double y = values[i] - values[0];
    sum_x += x;
    sum_y += y;
    sum_xy += x * y;
    sum_xx += x * x;
    sum_yy += y * y;
  }
  const double covariance = n * sum_xy - sum_x * sum_y;
  const double spread = (n * sum_xx - sum_x * sum_x) * (n * sum_yy - sum_y * sum_y);
  return spread == 0 ? 0 : covariance * covariance / spread;
}

bool is_saturated(std::span<const double> covered, std::size_t window, double threshold) {
  return window != 0 && covered.size() >= window && r_squared(covered.last(window)) < threshold;
}

std::size_t saturation_window(const Options& options) {
  constexpr std::size_t usual = 200;
  if (options.saturation >= 0) return static_cast<std::size_t>(options.saturation);
  return options.max_executions == 0 && options.max_seconds == 0 ? usual : 0;
}

}  // namespace norn::coverage
