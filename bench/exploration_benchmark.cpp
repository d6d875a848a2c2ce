// What an execution costs, against what the operating system's own means cost in the same run.

#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>
#include <norn/explore.hpp>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "hand_offs.hpp"

namespace {

std::mutex mutex;

/// `threads` threads that lock and unlock one mutex `times` times each.
template <int threads, int times>
void contend() {
  std::vector<std::thread> all;
  all.reserve(threads);
  for (int i = 0; i < threads; ++i)
    all.emplace_back([] {
      for (int k = 0; k < times; ++k) std::lock_guard lock(mutex);
    });
  for (std::thread& thread : all) thread.join();
}

std::map<int, int> counts;

void print_and_count() {
  std::ostringstream text;
  text << "x" << counts.size() << 1.5;
  std::vector<int> numbers(20, 1);
  for (const int number : numbers) counts[number] += 1;
  std::cout << text.str() << '\n';
  std::printf("%d %f\n", counts[1], 2.5);
}

norn::options limited(std::uint64_t executions, const char* isolation = "snapshot") {
  norn::options how;
  how.strategy = "exhaustive";
  how.max_executions = executions;
  how.isolation = isolation;
  return how;
}

/// A strategy that never ends, for programs with one behaviour.
norn::options repeated(std::uint64_t executions, const char* isolation) {
  norn::options how = limited(executions, isolation);
  how.strategy = "random";
  return how;
}

long resident_kilobytes() {
  long pages = 0;
  long resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%ld %ld", &pages, &resident) != 2) return 0;
  std::fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/// Complete executions per second against hand-offs of OS threads per second; bare: without looking for races and
/// memory errors.
void exhaustive_4_threads_2_locks(benchmark::State& state) {
  // One exploration takes milliseconds: too short to measure.
  const auto rate = [](const norn::options& how) {
    double executions = 0;
    double seconds = 0;
    while (seconds < 0.5) {
      const norn::result found = norn::explore(how, contend<4, 2>);
      executions += static_cast<double>(found.executions);
      seconds += found.seconds;
    }
    return executions / seconds;
  };
  for (auto _ : state) {
    const double hand_offs = hand_offs_per_second();
    norn::options how = limited(0);
    const double checked = rate(how);
    how.races = how.memory = "ignore";
    const double bare = rate(how);
    state.SetIterationTime(1 / checked);
    state.counters["executions/s"] = checked;
    state.counters["executions_per_hand_off"] = checked / hand_offs;
    state.counters["bare_per_hand_off"] = bare / hand_offs;
  }
}
BENCHMARK(exhaustive_4_threads_2_locks)->UseManualTime()->Iterations(1)->Repetitions(5)->Unit(benchmark::kMillisecond);

int shared_numbers[64];

/// `threads` threads that lock a mutex `times` times each and make fifty plain accesses in between.
template <int threads, int times>
void fifty_accesses_per_event() {
  std::vector<std::thread> all;
  all.reserve(threads);
  for (int i = 0; i < threads; ++i)
    all.emplace_back([] {
      for (int k = 0; k < times; ++k) {
        const std::lock_guard lock(mutex);
        for (int n = 0; n < 25; ++n) shared_numbers[n * 2] += k;  // a read and a write
      }
    });
  for (std::thread& thread : all) thread.join();
}

/// What looking for races and memory errors costs, against the same runs without.
void watching_fifty_accesses_per_event(benchmark::State& state) {
  for (auto _ : state) {
    norn::options how = limited(300'000);
    const norn::result watched = norn::explore(how, fifty_accesses_per_event<3, 4>);
    how.races = how.memory = "ignore";
    const norn::result unwatched = norn::explore(how, fifty_accesses_per_event<3, 4>);
    const auto seconds_per_run = [](const norn::result& found) {
      return found.seconds / static_cast<double>(found.executions);
    };
    state.SetIterationTime(watched.seconds);
    state.counters["watched_us"] = seconds_per_run(watched) * 1e6;
    state.counters["unwatched_us"] = seconds_per_run(unwatched) * 1e6;
    state.counters["cost_ratio"] = seconds_per_run(watched) / seconds_per_run(unwatched);
  }
}
BENCHMARK(watching_fifty_accesses_per_event)
    ->UseManualTime()
    ->Iterations(1)
    ->Repetitions(5)
    ->Unit(benchmark::kMillisecond);

/// A whole run (the body included) between two snapshots, against a run between fork and wait.
void snapshot_against_fork(benchmark::State& state) {
  double ratio = 0;
  for (auto _ : state) {
    const norn::result snapshot = norn::explore(repeated(100'000, "snapshot"), print_and_count);
    const norn::result fork = norn::explore(repeated(1'000, "fork"), print_and_count);
    const double snapshot_seconds = snapshot.seconds / static_cast<double>(snapshot.executions);
    const double fork_seconds = fork.seconds / static_cast<double>(fork.executions);
    ratio = fork_seconds / snapshot_seconds;
    state.SetIterationTime(snapshot_seconds);
    state.counters["fork_us"] = fork_seconds * 1e6;
  }
  state.counters["forks_per_snapshot_run"] = ratio;
}
BENCHMARK(snapshot_against_fork)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMicrosecond);

/// Memory of the process after two and after ten million executions.
void memory_over_ten_million_executions(benchmark::State& state) {
  for (auto _ : state) {
    norn::explore(limited(2'000'000), contend<4, 4>);
    const long after_two = resident_kilobytes();
    const norn::result found = norn::explore(limited(10'000'000), contend<4, 4>);
    const long after_ten = resident_kilobytes();
    state.SetIterationTime(found.seconds);
    state.counters["kB_after_2M"] = static_cast<double>(after_two);
    state.counters["kB_after_10M"] = static_cast<double>(after_ten);
    state.counters["executions/s"] = static_cast<double>(found.executions) / found.seconds;
  }
}
BENCHMARK(memory_over_ten_million_executions)->UseManualTime()->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();
