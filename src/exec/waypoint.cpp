#include "exec/waypoint.hpp"

#include <algorithm>

namespace norn::exec {

const Waypoint* Waypoints::find(std::span<const Choice> prefix, std::span<const Event> events) {
  const auto same = [](const Choice& choice, const Event& event) {
    return choice == Choice{event.thread, event.alternative};
  };
  const auto differs = std::mismatch(prefix.begin(), prefix.end(), events.begin(), events.end(), same).first;
  const auto common = static_cast<std::uint32_t>(differs - prefix.begin());
  length_ = static_cast<std::uint32_t>(events.size());
  learn(length_ - common);
  while (count_ != 0 && waypoints_[count_ - 1]->counts.steps > common) --count_;
  return count_ == 0 ? nullptr : waypoints_[count_ - 1].get();
}

/// What may be passed by fewer of the next runs costs more than it saves. The quantile is followed in small steps, up
/// or down as each run tells.
void Waypoints::learn(std::uint32_t different) {
  constexpr double others = 0.3;
  const double step = std::max(0.25, reach_ / 16);
  reach_ += different > reach_ ? step * (1 - others) : -step * others;
  whole_reach_ = static_cast<std::uint32_t>(std::max(0.0, reach_)) + 1;
}

/// At least as many events as could be done again in half the time that it takes to leave a waypoint.
std::uint32_t Waypoints::gap() const {
  constexpr std::uint32_t least = 3;
  constexpr std::size_t bytes_per_event = 4096;
  const auto bytes = static_cast<std::uint32_t>(waypoints_[count_ - 1]->memory.size() / bytes_per_event);
  return std::max({least, bytes, length_ / most});
}

std::uint32_t Waypoints::next_step() const {
  if (count_ == 0) return 0;
  const std::uint32_t step = waypoints_[count_ - 1]->counts.steps + gap();
  return count_ < most && step + whole_reach_ <= length_ ? step : never;
}

Waypoint& Waypoints::add() {
  if (count_ == waypoints_.size()) waypoints_.push_back(std::make_unique<Waypoint>());
  return *waypoints_[count_++];
}

}  // namespace norn::exec
