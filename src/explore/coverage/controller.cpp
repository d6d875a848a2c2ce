#include "explore/coverage/controller.hpp"

#include <algorithm>

namespace norn::coverage {

void Controller::begin_run(std::uint64_t seed, const Temper& temper) {
  stream_ = SplitMix64(seed);
  temper_ = temper;
  paused_.clear();
  resumed_.reset();
  ranks_.clear();
  last_.begin_run();
  followers_.begin_run();
}

void Controller::pause(ThreadId thread) {
  if (paused_.size() <= thread) paused_.resize(thread + std::size_t{1});
  paused_[thread] = 1;
}

std::size_t Controller::decide(std::span<const Action> enabled, const Requirements& requirements) {
  for (;;) {
    if (const auto executed = iterate(enabled, requirements)) return *executed;
    // What was resumed is the only action that is not paused: whatever the next round does, it ends with executing it.
    if (const auto resumed = find_resumed(enabled)) return execute(enabled, *resumed);
  }
}

std::optional<std::size_t> Controller::iterate(std::span<const Action> enabled, const Requirements& requirements) {
  const Requirements& aim = temper_.aim != nullptr ? *temper_.aim : requirements;
  // The last thread that was not paused may have ended.
  if (all_paused(enabled)) paused_[enabled[resume(enabled, requirements)].thread] = 0;
  const std::size_t p = pick(enabled);
  const Action& action = enabled[p];
  if (action.controlled && (aim.relevant(action.location) != 0 || shares_object_with_paused(action, enabled)))
    pause(action.thread);
  if (all_paused(enabled)) paused_[enabled[resume(enabled, requirements)].thread] = 0;
  if (is_paused(action.thread)) return std::nullopt;
  return execute(enabled, p);
}

std::size_t Controller::execute(std::span<const Action> enabled, std::size_t chosen) {
  resumed_.reset();
  if (temper_.rank_change < 1 && happens_with(temper_.rank_change)) rank_of(enabled[chosen].thread) = stream_();
  return chosen;
}

/// Line 4: any action that is not paused.
std::size_t Controller::pick(std::span<const Action> enabled) {
  return *any_with(enabled, [this](const Action& action) { return !is_paused(action.thread); });
}

bool Controller::shares_object_with_paused(const Action& action, std::span<const Action> enabled) const {
  return std::any_of(enabled.begin(), enabled.end(), [&](const Action& other) {
    return other.controlled && is_paused(other.thread) && other.object == action.object;
  });
}

bool Controller::all_paused(std::span<const Action> enabled) const {
  return std::all_of(enabled.begin(), enabled.end(), [this](const Action& action) { return is_paused(action.thread); });
}

std::optional<std::size_t> Controller::find_resumed(std::span<const Action> enabled) const {
  if (!resumed_) return std::nullopt;
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (enabled[i].thread == *resumed_) return i;
  return std::nullopt;
}

template <typename Condition>
std::optional<std::size_t> Controller::any_with(std::span<const Action> enabled, const Condition& holds) {
  candidates_.clear();
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (holds(enabled[i])) candidates_.push_back(i);
  if (candidates_.empty()) return std::nullopt;
  return draw(enabled, candidates_);
}

std::size_t Controller::draw(std::span<const Action> enabled, std::span<const std::size_t> candidates) {
  if (temper_.rank_change >= 1) return candidates[stream_.below(candidates.size())];
  std::size_t highest = candidates.front();
  for (const std::size_t candidate : candidates)
    if (rank_of(enabled[candidate].thread) > rank_of(enabled[highest].thread)) highest = candidate;
  return highest;
}

std::uint64_t& Controller::rank_of(ThreadId thread) {
  while (ranks_.size() <= thread) ranks_.push_back(stream_());
  return ranks_[thread];
}

/// Which of the actions, all paused, is resumed. In the next round it is paused again, for the same reason as before,
/// and resumed again.
std::size_t Controller::resume(std::span<const Action> enabled, const Requirements& requirements) {
  if (const auto again = find_resumed(enabled)) return *again;
  const std::size_t chosen = choose_by_rules(enabled, requirements);
  resumed_ = enabled[chosen].thread;
  return chosen;
}

/// Rules 1 to 3.
std::size_t Controller::choose_by_rules(std::span<const Action> enabled, const Requirements& requirements) {
  const Requirements& aim = temper_.aim != nullptr ? *temper_.aim : requirements;
  const auto covers = [&](const Action& action) {
    const auto pair = completes(action);
    if (!pair) return false;
    return temper_.takes_unestimated ? requirements.is_new(*pair) : requirements.is_uncovered(*pair);
  };
  if (const auto found = any_with(enabled, covers)) return ++rules_used_[0], *found;
  const bool at_random = temper_.unrest > 0 && happens_with(temper_.unrest);
  if (!at_random) {
    followers_.update(enabled, aim);
    const auto prepares = [&](const Action& action) { return followers_.any_after(action.thread, aim); };
    if (const auto found = any_with(enabled, prepares)) return ++rules_used_[1], *found;
  }
  ++rules_used_[2];
  if (at_random || !estimates_) return *any_with(enabled, [](const Action&) { return true; });
  return least_useful(enabled, aim);
}

bool Controller::happens_with(double probability) {
  constexpr std::uint64_t parts = 1024;
  return static_cast<double>(stream_.below(parts)) < probability * parts;
}

/// Rule 3, the estimation based heuristic: to hold back the others may be of more use.
std::size_t Controller::least_useful(std::span<const Action> enabled, const Requirements& aim) {
  std::uint32_t least = UINT32_MAX;
  for (const Action& action : enabled) least = std::min(least, aim.relevant(action.location));
  return *any_with(enabled, [&](const Action& action) { return aim.relevant(action.location) == least; });
}

}  // namespace norn::coverage
