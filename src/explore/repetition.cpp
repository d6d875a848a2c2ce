#include "explore/repetition.hpp"

#include <fmt/format.h>

#include <chrono>

#include "explore/explorer.hpp"
#include "support/hash.hpp"

namespace norn {
namespace {

/// What differs by chance may be the same once.
constexpr unsigned most_repetitions = 8;
/// But long runs are repeated once.
constexpr std::chrono::milliseconds patience{20};

/// Values do not count as long as they make no difference: in the gaps of objects there is what happens to be there.
std::uint64_t hash_of(const Event& event) {
  std::uint64_t hash = static_cast<std::uint64_t>(event.op) << 32 | static_cast<std::uint64_t>(event.effect);
  for (const void* const where : {event.object, event.site})
    hash = combine(hash, reinterpret_cast<std::uintptr_t>(where));
  return hash;
}

/// Somebody always goes on, so that a run comes to its end.
class LetFirstMove final : public Strategy {
 public:
  bool next(Prefix&) override { return true; }
  std::size_t choose(const FreeChoice&) override { return 0; }
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }
};

}  // namespace

void Repetition::remember(const Trace& trace) {
  // How many rounds it takes until it is clear that a loop has no end depends on what was on the stack before.
  const bool is_vague = is_cut(trace.end()) || trace.end() == End::repeats || trace.end() == End::livelock;
  if (end_ != End::interrupted || is_vague) return;
  for (const Event& event : trace.events) {
    schedule_.push_back({event.thread, event.alternative});
    events_.push_back(hash_of(event));
  }
  end_ = trace.end();
}

std::string Repetition::find_difference(Runner& runner) {
  if (end_ == End::interrupted) {  // other processes did all the runs
    LetFirstMove strategy;
    remember(runner.run({}, strategy));
  }
  if (end_ == End::interrupted) return {};
  const auto begin = std::chrono::steady_clock::now();
  std::string printed;
  for (unsigned i = 0; i < most_repetitions; ++i) {
    const Trace& trace = runner.run_again(schedule_);
    if (trace.end() == End::interrupted) return {};
    std::string difference = compare(trace);
    if (!difference.empty()) return difference;
    if (i != 0 && runner.last_output() != printed) return "it printed something else";
    printed = runner.last_output();
    if (std::chrono::steady_clock::now() - begin > patience) break;
  }
  return {};
}

std::string Repetition::compare(const Trace& trace) const {
  const std::size_t both = std::min(trace.events.size(), events_.size());
  for (std::size_t i = 0; i < both; ++i)
    if (hash_of(trace.events[i]) != events_[i])
      return fmt::format("event {} ({}) was another one, or had another effect", i + 1, name(trace.events[i].op));
  if (trace.events.size() != events_.size() || trace.end() != end_)
    return fmt::format("it ended otherwise after event {}", both);
  return {};
}

}  // namespace norn
