#include "explore/estimate.hpp"
#include "support/mathematics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace norn {

/// Sizes multiply on the way through a search, so what is out by chance is out by a factor: the mean of numbers whose
/// logarithms are normally distributed, and how uncertain that is (D. R. Cox; U. Olsson, "Confidence intervals for the
/// mean of a log-normal distribution", Journal of Statistics Education 13(1), 2005). Parts that are large but rare can
/// be missed by all attempts alike, which does not show in how they differ; how much that may be was measured
/// (docs/dpor.md).
Size foreseen(std::span<const double> attempts) {
  constexpr double deviations = 3;
  // On a logarithmic scale: what is rare, as a part of the whole and in any case; and what is too much.
  constexpr double rare_part = 0.1;
  constexpr double rare = 1.5;
  constexpr double too_much_part = 0.05;
  // Few attempts say little about how much they differ: one that is out by a factor of e is taken to be among them.
  constexpr double unseen_variance = 1;
  if (std::all_of(attempts.begin(), attempts.end(), [](double attempt) { return attempt <= 0; })) return {};
  const auto count = static_cast<double>(attempts.size());
  std::vector<double> logarithms;
  for (const double attempt : attempts) logarithms.push_back(natural_log(std::max(1.0, attempt)));
  const double mean = std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / count;
  double squares = 0;
  for (const double logarithm : logarithms) squares += (logarithm - mean) * (logarithm - mean);
  const double variance = (squares + unseen_variance) / count;
  const double center = mean + squares / count / 2;
  const double uncertainty = deviations * std::sqrt(variance / count + variance * variance / (2 * count));
  const auto number = [](double logarithm) { return exponential(std::min(logarithm, natural_log(endless))); };
  return {number(center), number(center * (1 - too_much_part) - uncertainty),
          number(center * (1 + rare_part) + rare + uncertainty)};
}

std::vector<Size> divided(const Size& whole, std::span<const double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<Size> parts;
  for (const double share : shares) parts.push_back(sum > 0 ? whole * (share / sum) : Size{});
  return parts;
}

double Hindsight::shortfall(std::uint64_t runs, double whole) const {
  constexpr double long_enough = 4;
  constexpr double long_ago = 64;
  constexpr double by_chance = 2;
  double most = 1;
  for (const Foreseen& then : foreseen_) {
    const double since = static_cast<double>(runs) / then.runs;
    if (since >= long_enough && since <= long_ago) most = std::max(most, whole / then.whole);
  }
  return most < by_chance ? 1 : most;
}

/// It goes on like this at best, and twice as badly (on a logarithmic scale) at worst.
void Hindsight::correct(std::vector<Size>& parts, std::uint64_t runs) const {
  Size left;
  for (const Size& part : parts) left += part;
  if (left.runs <= 0 || left.runs >= endless) return;
  const auto done = static_cast<double>(runs);
  const double whole = done + left.runs;
  const double factor = shortfall(runs, whole);
  const double more = (whole * std::sqrt(factor) - done) / left.runs;
  const double at_most = std::max(1.0, (std::min(whole * factor * factor, endless) - done) / left.high);
  for (Size& part : parts) {
    part.runs *= more;
    part.high *= at_most;
  }
}

Estimate estimate(std::uint64_t executions, const Size& left) {
  const auto seen = static_cast<double>(executions);
  const double whole = std::max(1.0, seen + left.runs);
  return {seen / whole, whole, seen + left.low, seen + left.high};
}

}  // namespace norn
