#include "explore/replay.hpp"

#include <fmt/format.h>

#include <sstream>

#include "trace/alternative.hpp"

namespace norn {

Replay::Replay(const std::string& schedule, const ThreadNames& names) : names_(names) {
  std::istringstream lines(schedule);
  Step step;
  while (lines >> step.thread >> step.operation >> step.alternative) steps_.push_back(step);
}

bool Replay::next(Prefix& prefix) {
  prefix.clear();
  return true;
}

bool Replay::matches(const Step& step, Choice choice) const {
  return names_.name(choice.thread) == step.thread &&
         alternative_text(op_named(step.operation), choice.alternative, names_) == step.alternative;
}

std::size_t Replay::choose(const FreeChoice& at) {
  if (at.step >= steps_.size()) return at.enabled.size();
  for (std::size_t i = 0; i < at.enabled.size(); ++i)
    if (matches(steps_[at.step], at.enabled[i])) return i;
  return at.enabled.size();
}

/// Where it does not wait for time to pass.
bool Replay::insists_on(std::uint32_t step, ThreadId thread) const {
  if (step >= steps_.size() || steps_[step].thread != names_.name(thread)) return false;
  return steps_[step].alternative != alternative_text(op_named(steps_[step].operation), time_passes, names_);
}

std::string Replay::divergence(const Trace& trace) const {
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    const std::string now = fmt::format("{} {}", names_.name(event.thread), name(event.op));
    if (i == steps_.size())
      return fmt::format("the recording ends after event {}, but the program goes on with {}", i, now);
    const Step& step = steps_[i];
    if (step.thread == names_.name(event.thread) && step.operation == name(event.op)) continue;
    return fmt::format("event {} of the recording is {} {}, but now it is {}", i + 1, step.thread, step.operation, now);
  }
  const std::size_t done = trace.events.size();
  // How many rounds it takes until it is clear that a loop has no end depends on what was on the stack before.
  if (trace.end() == End::livelock) return {};
  if (done < steps_.size())
    return fmt::format("event {} of the recording is {} {}, but the program can no longer do that", done + 1,
                       steps_[done].thread, steps_[done].operation);
  if (trace.end() == End::diverged)
    return fmt::format("the recording ends after event {}, but the program goes on", done);
  return {};
}

}  // namespace norn
