#include "explore/coverage/controller.hpp"

#include <algorithm>

namespace norn::coverage {

void Controller::begin_run(std::uint64_t seed, double unrest) {
  stream_ = SplitMix64(seed);
  unrest_ = unrest;
  paused_.clear();
  resumed_.reset();
  last_.begin_run();
}

void Controller::pause(ThreadId thread) {
  if (paused_.size() <= thread) paused_.resize(thread + std::size_t{1});
  paused_[thread] = true;
}

std::size_t Controller::decide(std::span<const Action> enabled, const Requirements& requirements) {
  for (;;)
    if (const auto executed = iterate(enabled, requirements)) return *executed;
}

std::optional<std::size_t> Controller::iterate(std::span<const Action> enabled, const Requirements& requirements) {
  // The last thread that was not paused may have ended.
  if (all_paused(enabled)) paused_[enabled[resume(enabled, requirements)].thread] = false;
  const std::size_t p = pick(enabled);
  const Action& action = enabled[p];
  if (action.controlled && (requirements.relevant(action.location) != 0 || shares_object_with_paused(action, enabled)))
    pause(action.thread);
  if (all_paused(enabled)) paused_[enabled[resume(enabled, requirements)].thread] = false;
  if (is_paused(action.thread)) return std::nullopt;
  resumed_.reset();
  return p;
}

/// Line 4: any action that is not paused.
std::size_t Controller::pick(std::span<const Action> enabled) {
  const auto is_free = [this](const Action& action) { return !is_paused(action.thread); };
  auto wanted = stream_.below(static_cast<std::size_t>(std::count_if(enabled.begin(), enabled.end(), is_free)));
  for (std::size_t i = 0;; ++i)
    if (is_free(enabled[i]) && wanted-- == 0) return i;
}

bool Controller::shares_object_with_paused(const Action& action, std::span<const Action> enabled) const {
  return std::any_of(enabled.begin(), enabled.end(), [&](const Action& other) {
    return other.controlled && is_paused(other.thread) && other.object == action.object;
  });
}

bool Controller::all_paused(std::span<const Action> enabled) const {
  return std::all_of(enabled.begin(), enabled.end(), [this](const Action& action) { return is_paused(action.thread); });
}

template <typename Condition>
std::optional<std::size_t> Controller::any_with(std::span<const Action> enabled, const Condition& holds) {
  std::optional<std::size_t> found;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (holds(enabled[i]) && stream_.below(++count) == 0) found = i;
  return found;
}

/// Rules 1 to 3: which of the actions, all paused, is resumed. In the next round it is paused again, for the same
/// reason as before, and resumed again.
std::size_t Controller::resume(std::span<const Action> enabled, const Requirements& requirements) {
  const auto is_resumed = [this](const Action& action) { return action.thread == resumed_; };
  if (const auto again = std::find_if(enabled.begin(), enabled.end(), is_resumed); again != enabled.end())
    return static_cast<std::size_t>(again - enabled.begin());
  const auto covers = [&](const Action& action) {
    const auto pair = completes(action);
    return pair && requirements.is_uncovered(*pair);
  };
  const auto prepares = [&](const Action& first) {
    return std::any_of(enabled.begin(), enabled.end(), [&](const Action& second) {
      return &first != &second && first.object == second.object &&
             requirements.is_uncovered({first.location, second.location});
    });
  };
  std::size_t rule = 0;
  auto found = any_with(enabled, covers);
  const bool at_random = !found && is_restless();
  if (!found && !at_random) {
    rule = 1;
    found = any_with(enabled, prepares);
  }
  if (!found) {
    rule = 2;
    found = at_random || !estimates_ ? stream_.below(enabled.size()) : least_useful(enabled, requirements);
  }
  ++rules_used_[rule];
  resumed_ = enabled[*found].thread;
  return *found;
}

bool Controller::is_restless() {
  constexpr std::uint64_t parts = 1024;
  return unrest_ > 0 && static_cast<double>(stream_.below(parts)) < unrest_ * parts;
}

/// Rule 3, the estimation based heuristic: to hold back the others may be of more use.
std::size_t Controller::least_useful(std::span<const Action> enabled, const Requirements& requirements) {
  std::uint32_t least = UINT32_MAX;
  for (const Action& action : enabled) least = std::min(least, requirements.relevant(action.location));
  return *any_with(enabled, [&](const Action& action) { return requirements.relevant(action.location) == least; });
}

std::optional<Pair> Controller::completes(const Action& action) const {
  if (!action.controlled) return std::nullopt;
  const LastActions::Last* before = last_.find(action.object);
  if (before == nullptr) return std::nullopt;
  if (between_threads_ && before->thread == action.thread) return std::nullopt;
  return Pair{before->location, action.location};
}

}  // namespace norn::coverage
