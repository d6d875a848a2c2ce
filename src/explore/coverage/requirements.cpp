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
  seen_.set(pair, true);
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
  seen_.set(pair, true);
  set_uncovered(pair, false);
}

std::vector<Pair> Requirements::uncovered() const {
  std::vector<Pair> result;
  for (const auto& [pair, state] : all_)
    if (is_uncovered(pair)) result.push_back(pair);
  return result;
}

void Requirements::cover_for_now(const Pair& pair) {
  // A line without a number is new in every run in which that is so.
  if (std::max(pair.first, pair.second) >= first_postponed_location) return;
  if (seen_.set(pair, true)) seen_for_now_.push_back(pair);
  if (!is_uncovered(pair)) return;
  set_uncovered(pair, false);
  for_now_.push_back(pair);
}

void Requirements::end_run() {
  for (const Pair& pair : for_now_) set_uncovered(pair, true);
  for_now_.clear();
  for (const Pair& pair : seen_for_now_) seen_.set(pair, false);
  seen_for_now_.clear();
}

void Requirements::set_uncovered(const Pair& pair, bool uncovered) {
  if (!uncovered_.set(pair, uncovered)) return;
  const auto [first, second] = pair;
  const std::size_t most = std::max(first, second);
  if (relevant_.size() <= most) relevant_.resize(most + 1);
  const std::uint32_t change = uncovered ? 1 : -1U;
  relevant_[first] += change;
  if (second != first) relevant_[second] += change;
}

}  // namespace norn::coverage
