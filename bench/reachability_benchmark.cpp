// What reachability testing costs, against the same runs without any analysis.

#include <benchmark/benchmark.h>
#include <norn/explore.hpp>

// The program itself, as a function.
#define main philosophers_main
#include "../examples/papers/dining_philosophers_monitor_su.cpp"
#undef main

#include "peak_memory.hpp"

namespace {

void six_philosophers() {
  char name[] = "philosophers";
  char six[] = "6";
  char* arguments[] = {name, six, nullptr};
  philosophers_main(2, arguments);
}

class room : norn::su_monitor {
 public:
  void visit() { const auto inside = enter(); }
};

/// 63,063,000 sequences.
void four_threads_four_visits() {
  room room;
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      for (int k = 0; k < 4; ++k) room.visit();
    });
  for (std::thread& thread : all) thread.join();
}

norn::options with(const char* strategy, std::uint64_t executions) {
  norn::options how;
  how.strategy = strategy;
  how.max_executions = executions;
  return how;
}

double seconds_per_run(const char* strategy) {
  const norn::result found = norn::explore(with(strategy, 50'000), six_philosophers);
  return found.seconds / static_cast<double>(found.executions);
}

void reachability_against_random(benchmark::State& state) {
  for (auto _ : state) {
    const double free = seconds_per_run("random");
    const double analysed = seconds_per_run("reachability");
    state.SetIterationTime(analysed);
    state.counters["random_us"] = free * 1e6;
    state.counters["reachability_us"] = analysed * 1e6;
    state.counters["cost_ratio"] = analysed / free;
  }
}
BENCHMARK(reachability_against_random)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMicrosecond);

void memory_of_reachability(benchmark::State& state) {
  for (auto _ : state) {
    peak_megabytes();
    norn::explore(with("reachability", 100'000), four_threads_four_visits);
    state.counters["megabytes_10^5"] = peak_megabytes();
    const norn::result found = norn::explore(with("reachability", 10'000'000), four_threads_four_visits);
    state.counters["megabytes_10^7"] = peak_megabytes();
    state.SetIterationTime(found.seconds);
  }
}
BENCHMARK(memory_of_reachability)->UseManualTime()->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
