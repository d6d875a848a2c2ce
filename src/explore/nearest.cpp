#include "explore/nearest.hpp"

#include <algorithm>

namespace norn {
namespace {

/// Does what a schedule does up to some event, does something else there, and preempts nobody after that.
class Deviation final : public Strategy {
 public:
  /// `other` counts what there is besides the choice of the schedule at that event.
  Deviation(const std::vector<Choice>& schedule, std::size_t event, std::size_t other)
      : schedule_(schedule), event_(event), other_(other) {}

  bool next(Prefix& prefix) override {
    prefix.assign(schedule_.begin(), schedule_.begin() + static_cast<std::ptrdiff_t>(event_));
    return true;
  }

  std::size_t choose(const FreeChoice& at) override {
    if (at.step == event_) return something_else(at.enabled);
    const auto stays = [&at](const Choice& choice) { return choice.thread == at.last; };
    const auto found = std::find_if(at.enabled.begin(), at.enabled.end(), stays);
    return found == at.enabled.end() ? 0 : static_cast<std::size_t>(found - at.enabled.begin());
  }

  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }

 private:
  [[nodiscard]] std::size_t something_else(std::span<const Choice> enabled) const {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < enabled.size(); ++i)
      if (enabled[i] != schedule_[event_] && seen++ == other_) return i;
    return give_up;
  }

  const std::vector<Choice>& schedule_;
  std::size_t event_;
  std::size_t other_;
};

bool passes(const Trace& trace) { return trace.end() == End::finished && !trace.raced; }

}  // namespace

std::vector<Choice> nearest_passing(Runner& runner, const std::vector<Choice>& schedule, const NearestBudget& budget) {
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t runs = 0;
  Prefix prefix;
  for (std::size_t event = schedule.size(); event-- > 0;) {
    std::size_t others = 1;  // there may be none, which the first run tells
    for (std::size_t other = 0; other < others; ++other) {
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
      if (stop_requested || runs++ >= budget.runs || used.count() >= budget.seconds) return {};
      Deviation deviation(schedule, event, other);
      deviation.next(prefix);
      const Trace& trace = runner.run(prefix, deviation);
      if (trace.events.size() <= event) break;
      others = trace.events[event].enabled - std::size_t{1};
      if (!passes(trace)) continue;
      std::vector<Choice> passing;
      for (const Event& each : trace.events) passing.push_back({each.thread, each.alternative});
      return passing;
    }
  }
  return {};
}

}  // namespace norn
