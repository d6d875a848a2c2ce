#include "explore/reachability/attempt.hpp"

#include <algorithm>

namespace norn::reachability {

const Prefix& Attempt::begin(Variant& variant) const {
  for (const Ending& ending : found_) variant.watch(ending);
  for (const Ending& step : avoided_) variant.watch(step);
  return prefix_;
}

bool Attempt::forbids(const Variant& variant, const PrefixRun& run, Choice choice) const {
  const auto is_it = [&](const Ending& ending) {
    return ending.alternative == choice.alternative && run.is_at(ending, choice.thread);
  };
  return std::any_of(variant.endings.begin(), variant.endings.end(), is_it) ||
         std::any_of(found_.begin(), found_.end(), is_it) || std::any_of(avoided_.begin(), avoided_.end(), is_it);
}

std::size_t Attempt::find_end(const Variant& variant, const PrefixRun& run, std::span<const Choice> enabled) const {
  const auto find = [&](const Ending& end, bool in_any_way) {
    for (std::size_t i = 0; i < enabled.size(); ++i)
      if (run.is_at(end, enabled[i].thread) && (in_any_way || enabled[i].alternative == end.alternative)) return i;
    return give_up;
  };
  if (variant.end) {
    // How a look turns out is not known before.
    const std::size_t exactly = find(*variant.end, false);
    return exactly != give_up ? exactly : find(*variant.end, true);
  }
  for (const Ending& end : found_)
    if (const std::size_t index = find(end, false); index != give_up) return index;
  return give_up;
}

bool Attempt::has_found(const Ending& ending) const {
  return std::any_of(found_.begin(), found_.end(), [&](const Ending& known) { return known.is_same(ending); });
}

void Attempt::go_back(const Trace& trace, std::size_t events) {
  prefix_.clear();
  for (const Event& event : trace.events.first(events)) prefix_.push_back({event.thread, event.alternative});
  ++runs_;
}

std::size_t find_intruder(const Variant& variant, VisibleReleases releases, std::span<const Event> events) {
  if (!variant.end || variant.end->object == nullptr) return events.size();
  PrefixRun run;
  run.begin(variant, releases);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool was_frozen = run.is_frozen();
    run.follow(events.first(i + 1));
    if (was_frozen && !run.is_frozen() && events[i].thread != variant.end->thread) return i;
  }
  return events.size();
}

}  // namespace norn::reachability
