#include "explore/survey.hpp"
#include "support/mathematics.hpp"

#include <algorithm>

namespace norn {
namespace {

constexpr std::size_t most_tables = 32;
/// Fewer probes say nothing about how much one differs from another.
constexpr std::size_t least_tables = 3;

double limited(double number) { return std::min(number, endless); }

}  // namespace

void Survey::begin() {
  abandon();
  is_on_ = true;
}

void Survey::abandon() {
  is_on_ = is_waiting_ = false;
  pool_.clear();
  looks_.clear();
}

/// The one that stands for a stratum is drawn among those that were offered so far.
void Survey::offer(Stratum stratum, Branch branch) {
  constexpr std::uint64_t fine = 1U << 30U;
  const double weight = looks_.empty() ? 1 : looks_.back().weight;
  if (!looks_.empty()) looks_.back().below.push_back(stratum);
  Candidate& candidate = pool_[stratum];
  candidate.weight = limited(candidate.weight + weight);
  const bool is_drawn =
      static_cast<double>(chance_.below(fine)) * candidate.weight < weight * static_cast<double>(fine);
  if (is_drawn) candidate.branch = branch;
}

std::optional<Survey::Branch> Survey::next(std::uint64_t runs) {
  if (pool_.empty()) {
    end(runs);
    return std::nullopt;
  }
  const auto highest = std::prev(pool_.end());
  const Branch branch = highest->second.branch;
  looks_.push_back({highest->first, highest->second.weight, false, {}});
  pool_.erase(highest);
  is_waiting_ = true;
  return branch;
}

void Survey::looked(bool counts) {
  is_waiting_ = false;
  looks_.back().counts = counts;
}

void Survey::moved(std::size_t point, std::size_t from, std::size_t to) {
  for (auto& [stratum, candidate] : pool_)
    if (candidate.branch.point == point && candidate.branch.index == from) candidate.branch.index = to;
}

/// From the lowest stratum to the highest: a branch is what was seen of it and what there is below that. There are
/// probes from time to time, but most runs are done in the order of the search.
void Survey::end(std::uint64_t runs) {
  Table table;
  for (auto look = looks_.rbegin(); look != looks_.rend(); ++look) {
    double size = look->counts ? 1 : 0;
    for (const Stratum below : look->below) size = limited(size + table[below]);
    table[look->stratum] = size;
  }
  due_ = runs + std::max<std::uint64_t>(looks_.size(), runs / 16);
  abandon();
  if (table.empty()) return;
  if (tables_.size() < most_tables) {
    tables_.push_back(std::move(table));
  } else {
    tables_[oldest_] = std::move(table);
    oldest_ = (oldest_ + 1) % most_tables;
  }
}

/// Between strata, and beyond them, the logarithm of sizes is taken to grow evenly.
double Survey::size_in(const Table& table, Stratum stratum) {
  const auto above = table.lower_bound(stratum);
  if (above != table.end() && above->first == stratum) return above->second;
  if (above == table.begin()) return above->second;
  const auto below = std::prev(above);
  const double from = natural_log(std::max(1.0, below->second));
  double slope = below->first > 0 ? from / below->first : 0;
  if (above != table.end()) slope = (natural_log(std::max(1.0, above->second)) - from) / (above->first - below->first);
  return limited(exponential(from + slope * (stratum - below->first)));
}

std::optional<std::vector<Size>> Survey::sizes(std::span<const std::vector<Stratum>> parts) const {
  if (tables_.size() < least_tables) return std::nullopt;
  std::vector<double> wholes;
  std::vector<double> shares(parts.size());
  for (const Table& table : tables_) {
    std::vector<double> ones;
    double whole = 0;
    for (const std::vector<Stratum>& part : parts) {
      double one = 0;
      for (const Stratum stratum : part) one = limited(one + size_in(table, stratum));
      ones.push_back(one);
      whole = limited(whole + one);
    }
    for (std::size_t i = 0; i < parts.size() && whole > 0; ++i) shares[i] += ones[i] / whole;
    wholes.push_back(whole);
  }
  return divided(foreseen(wholes), shares);
}

}  // namespace norn
