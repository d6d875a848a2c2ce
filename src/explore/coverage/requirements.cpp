#include "explore/coverage/requirements.hpp"

#include <algorithm>

namespace norn::coverage {

bool Requirements::add(const Pair& pair, bool estimated) {
  const auto [entry, is_new] = all_.try_emplace(pair);
  if (!is_new) return false;
  entry->second.estimated = estimated;
  estimated_ += estimated ? 1 : 0;
  set_uncovered(pair, true);
  return true;
}

void Requirements::add_covered(const Pair& pair) {
  if (!add(pair, false)) return;
  all_[pair].covered_before = true;
  ++covered_;
  set_uncovered(pair, false);
}

void Requirements::cover(const Pair& pair, std::uint64_t run) {
  add(pair, false);
  State& state = all_[pair];
  ++state.times;
  if (state.covered_in != 0) return;
  state.covered_in = run;
  if (state.covered_before) return;
  ++covered_;
  set_uncovered(pair, false);
}

std::vector<Pair> Requirements::uncovered() const {
  std::vector<Pair> result;
  for (const auto& [pair, state] : all_)
    if (is_uncovered(pair)) result.push_back(pair);
  return result;
}

void Requirements::cover_for_now(const Pair& pair) {
  if (!is_uncovered(pair)) return;
  set_uncovered(pair, false);
  for_now_.push_back(pair);
}

void Requirements::end_run() {
  for (const Pair& pair : for_now_) set_uncovered(pair, true);
  for_now_.clear();
}

void Requirements::set_uncovered(const Pair& pair, bool uncovered) {
  const auto [first, second] = pair;
  const std::size_t most = std::max(first, second);
  if (relevant_.size() <= most) relevant_.resize(most + 1);
  if (rows_.size() <= first) rows_.resize(first + std::size_t{1});
  std::vector<std::uint64_t>& row = rows_[first];
  if (row.size() <= second / bits) row.resize(second / bits + 1);
  const std::uint64_t bit = std::uint64_t{1} << second % bits;
  if (((row[second / bits] & bit) != 0) == uncovered) return;
  row[second / bits] ^= bit;
  const std::uint32_t change = uncovered ? 1 : -1U;
  relevant_[first] += change;
  if (second != first) relevant_[second] += change;
}

}  // namespace norn::coverage
