#include "explore/path.hpp"
#include "support/mathematics.hpp"

#include <algorithm>
#include <cmath>

namespace norn {

void Variety::add(double squared_deviation, double runs) {
  sum_ += squared_deviation * runs;
  runs_ += runs;
}

double Variety::squared_deviation() const { return sum_ / runs_; }

void Branches::tell(Variety& variety) const {
  if (count_ < 2 || runs_ <= 0) return;
  const double mean = runs_ / count_;
  variety.add(std::max(0.0, squares_ - runs_ * mean) / (count_ - 1) / (mean * mean), runs_);
}

Guess Branches::others(std::size_t count, const Guess* current, const Variety& variety) const {
  const double seen = count_ + (current != nullptr ? 1 : 0);
  const auto wanted = static_cast<double>(count);
  if (count == 0) return {};
  // Where nothing has been seen, there is one run at least.
  if (seen == 0) return {wanted, wanted * wanted * variety.squared_deviation()};
  const double runs = runs_ + (current != nullptr ? current->runs : 0);
  const double squares = squares_ + (current != nullptr ? current->runs * current->runs : 0);
  const double mean = runs / seen;
  const double usual = mean * mean * variety.squared_deviation();
  // Few branches say little about how unlike they are: what is usual counts as one of them.
  const double deviation = (std::max(0.0, squares - runs * mean) + usual) / seen;
  const double ratio = wanted / seen;
  // How unlike the others are and how uncertain the one at hand is multiply: each may be out by a factor.
  const double of_current = current != nullptr ? current->variance * ratio * ratio : 0;
  const double of_others = wanted * deviation * (1 + ratio);
  const double of_both = mean > 0 ? of_current * of_others / (wanted * mean * wanted * mean) : 0;
  return {wanted * mean, of_current + of_others + of_both};
}

Size sure(const Guess& left) {
  constexpr double deviations = 3;
  constexpr double larger = 1;
  if (left.runs <= 0) return {};
  // All parts together are still endless.
  if (left.runs >= Guess::most_runs) return {2 * endless, 2 * endless, 2 * endless};
  const double logarithm = natural_log(std::max(1.0, left.runs));
  const double uncertainty = deviations * std::sqrt(natural_log1p(left.variance / (left.runs * left.runs)));
  const double high = std::min(logarithm * (1 + larger) + uncertainty, natural_log(endless));
  return {std::min(left.runs, endless), exponential(logarithm - uncertainty), exponential(high)};
}

}  // namespace norn
