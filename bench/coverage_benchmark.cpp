// What a scheduling decision of strategy coverage costs: it must not depend on how many requirements are uncovered.

#include <benchmark/benchmark.h>

#include <vector>

#include "explore/coverage/controller.hpp"

namespace {

using namespace norn;
using namespace norn::coverage;

/// Threads that take locks at lines that are all part of uncovered requirements. Each of them goes on to another line
/// and another lock whenever it is chosen.
class Crowd {
 public:
  Crowd(unsigned threads, unsigned locks, unsigned lines) : locks_(locks), lines_(lines) {
    for (unsigned i = 0; i < threads; ++i) actions_.push_back(next(static_cast<ThreadId>(i)));
  }

  /// One decision, and what follows from it.
  void step(Controller& controller, const Requirements& requirements) {
    Action& action = actions_[controller.decide(actions_, requirements)];
    controller.happened(action.thread, action.object, action.location);
    action = next(action.thread);
  }

 private:
  Action next(ThreadId thread) {
    return {thread, true, &locks_[stream_.below(locks_.size())], static_cast<Location>(stream_.below(lines_) + 2)};
  }

  std::vector<char> locks_;
  unsigned lines_;
  SplitMix64 stream_{1};
  std::vector<Action> actions_;
};

Requirements uncovered(unsigned count, unsigned lines) {
  Requirements requirements;
  SplitMix64 stream(2);
  while (requirements.all().size() < count)
    requirements.add({static_cast<Location>(stream.below(lines) + 2), static_cast<Location>(stream.below(lines) + 2)},
                     true);
  return requirements;
}

/// The time of an iteration is that of a decision. With as many lines as give 10,000 pairs all of them are uncovered,
/// with ten times as many one in a hundred.
void decision(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const auto locks = static_cast<unsigned>(state.range(1));
  const auto count = static_cast<unsigned>(state.range(2));
  const auto lines = static_cast<unsigned>(state.range(3));
  const Requirements requirements = uncovered(count, lines);
  Controller controller(true);
  Crowd crowd(threads, locks, lines);
  controller.begin_run(1);
  for (auto _ : state) crowd.step(controller, requirements);
  const auto& rules = controller.rules_used();
  state.counters["rule_3_share"] = static_cast<double>(rules[2]) / static_cast<double>(rules[0] + rules[1] + rules[2]);
}
BENCHMARK(decision)
    ->ArgNames({"threads", "locks", "uncovered", "lines"})
    ->Args({10, 10, 100, 10})
    ->Args({10, 10, 10'000, 100})
    ->Args({10, 1'000, 10'000, 100})
    ->Args({10, 10, 10'000, 1'000})
    ->Args({26, 2, 10'000, 100})
    ->Args({26, 2, 10'000, 1'000})
    ->Args({64, 2, 10'000, 1'000})
    ->Args({64, 1'000, 10'000, 10'000});

}  // namespace
