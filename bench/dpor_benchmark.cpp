// Optimal exploration: complete executions per second against hand-offs of OS threads per second in the same run, what
// finding the next run costs against the run itself, how cost grows with the length of a run, and what a second process
// brings.

#include <benchmark/benchmark.h>
#include <norn/explore.hpp>

#include <atomic>
#include <fstream>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "hand_offs.hpp"
#include "peak_memory.hpp"

namespace {

template <typename Body>
void in_threads(int count, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

std::mutex mutex;
std::atomic<int> shared;

/// 10! / (2!)^5 = 113,400 behaviours.
void five_threads_two_locks() {
  in_threads(5, [](int) {
    for (int k = 0; k < 2; ++k) std::lock_guard lock(mutex);
  });
}

/// 12! / (3!)^4 = 369,600 behaviours.
void four_threads_three_locks() {
  in_threads(4, [](int) {
    for (int k = 0; k < 3; ++k) std::lock_guard lock(mutex);
  });
}

/// 2^13 behaviours.
void thirteen_readers() {
  in_threads(14, [](int i) { i == 0 ? shared.store(1) : static_cast<void>(shared.load()); });
}

std::atomic<int> flag[2];
std::atomic<int> turn;

/// Peterson's algorithm.
template <int rounds>
void peterson() {
  in_threads(2, [](int me) {
    for (int round = 0; round < rounds; ++round) {
      flag[me] = 1;
      turn = 1 - me;
      while (flag[1 - me] == 1 && turn == 1 - me) {
      }
      flag[me] = 0;
    }
  });
}

/// Szymanski's algorithm.
template <int rounds>
void szymanski() {
  in_threads(2, [](int me) {
    for (int round = 0; round < rounds; ++round) {
      const int other = 1 - me;
      flag[me] = 1;
      while (flag[other] >= 3) {
      }
      flag[me] = 3;
      if (flag[other] == 1) {
        flag[me] = 2;
        while (flag[other] != 4) {
        }
      }
      flag[me] = 4;
      if (me == 1)
        while (flag[0] >= 2) {
        }
      if (me == 0)
        for (int seen = flag[1]; seen == 2 || seen == 3; seen = flag[1]) {
        }
      flag[me] = 0;
    }
  });
}

/// Whether what a thread waits for comes while it looks so many times.
template <int looks, typename Condition>
bool comes(Condition condition) {
  for (int look = 0; look < looks; ++look)
    if (condition()) return true;
  return false;
}

/// Peterson's algorithm without loops that wait: who has looked `looks` times gives up. Three rounds and looks: 863,622
/// behaviours.
template <int rounds, int looks>
void impatient_peterson() {
  in_threads(2, [](int me) {
    for (int round = 0; round < rounds; ++round) {
      flag[me] = 1;
      turn = 1 - me;
      if (!comes<looks>([me] { return flag[1 - me] != 1 || turn != 1 - me; })) return;
      flag[me] = 0;
    }
  });
}

/// Szymanski's algorithm in the same way. Two rounds and looks: 544,896 behaviours.
template <int rounds, int looks>
void impatient_szymanski() {
  in_threads(2, [](int me) {
    for (int round = 0; round < rounds; ++round) {
      const int other = 1 - me;
      flag[me] = 1;
      if (!comes<looks>([other] { return flag[other] < 3; })) return;
      flag[me] = 3;
      if (flag[other] == 1) {
        flag[me] = 2;
        if (!comes<looks>([other] { return flag[other] == 4; })) return;
      }
      flag[me] = 4;
      if (me == 1 && !comes<looks>([] { return flag[0] < 2; })) return;
      if (me == 0 && !comes<looks>([] { return flag[1] != 2 && flag[1] != 3; })) return;
      flag[me] = 0;
    }
  });
}

/// The indexer of Flanagan and Godefroid (2005).
template <int threads>
void indexer() {
  static std::atomic<int> table[128];
  in_threads(threads, [](int id) {
    for (int m = 1; m <= 4; ++m) {
      const int word = m * 11 + id;
      int h = (word * 7) % 128;
      int empty = 0;
      while (!table[h].compare_exchange_strong(empty, word)) {
        h = (h + 1) % 128;
        empty = 0;
      }
    }
  });
}

/// Two threads with `length` operations each on objects of their own, and four that race: 2^4 behaviours, or a few.
template <int length>
void long_runs() {
  static std::atomic<int> own[2];
  static std::atomic<int> common[4];
  in_threads(2, [](int me) {
    for (int i = 0; i < length / 2; ++i) own[me].fetch_add(1);
    for (std::atomic<int>& one : common) me == 0 ? one.store(1) : static_cast<void>(one.load());
  });
}

/// Four threads that do what turns out as a read, `length` times together, and two of them race: 2 behaviours.
template <int length, typename Read>
void long_runs_of(Read read) {
  static std::atomic<int> common;
  in_threads(4, [read](int me) {
    for (int i = 0; i < length / 4; ++i) read();
    if (me < 2) common.store(me);
  });
}

std::shared_mutex readers;

template <int length>
void long_runs_of_readers() {
  long_runs_of<length>([] { std::shared_lock lock(readers); });
}

template <int length>
void long_runs_of_failures() {
  long_runs_of<length>([] {
    int expected = 1;
    flag[0].compare_exchange_strong(expected, 2);
  });
}

norn::options with(const char* strategy, bool checks) {
  norn::options how;
  how.strategy = strategy;
  how.max_steps = 1'000'000;
  if (!checks) how.races = how.memory = "ignore";
  return how;
}

double rate(const norn::result& found) { return static_cast<double>(found.executions) / found.seconds; }

/// With and without looking for races and memory errors.
template <typename Body>
void per_hand_off(benchmark::State& state, Body body) {
  const auto explore = [body](const char* strategy, bool checks, std::uint64_t executions) {
    norn::options how = with(strategy, checks);
    how.max_executions = executions;
    return norn::explore(how, body);
  };
  for (auto _ : state) {
    const double hand_offs = hand_offs_per_second();
    const norn::result checked = explore("dpor", true, 200'000);
    const norn::result bare = explore("dpor", false, 200'000);
    const norn::result runs_only = explore("random", false, 50'000);
    state.SetIterationTime(checked.seconds);
    state.counters["executions"] = static_cast<double>(checked.executions);
    state.counters["per_hand_off"] = rate(checked) / hand_offs;
    state.counters["bare_per_hand_off"] = rate(bare) / hand_offs;
    state.counters["analysis_per_run"] = rate(runs_only) / rate(bare) - 1;
  }
}

void dpor_5_threads_2_locks(benchmark::State& state) { per_hand_off(state, five_threads_two_locks); }
void dpor_13_readers(benchmark::State& state) { per_hand_off(state, thirteen_readers); }
void dpor_peterson_5_rounds(benchmark::State& state) { per_hand_off(state, peterson<5>); }
void dpor_szymanski_3_rounds(benchmark::State& state) { per_hand_off(state, szymanski<3>); }
void dpor_impatient_peterson(benchmark::State& state) { per_hand_off(state, impatient_peterson<3, 3>); }
void dpor_impatient_szymanski(benchmark::State& state) { per_hand_off(state, impatient_szymanski<2, 2>); }
void dpor_indexer_15(benchmark::State& state) { per_hand_off(state, indexer<15>); }
BENCHMARK(dpor_5_threads_2_locks)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_13_readers)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_peterson_5_rounds)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_szymanski_3_rounds)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_impatient_peterson)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_impatient_szymanski)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_indexer_15)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);

/// Nanoseconds per event of a run, for runs of 10^2 to 10^5 events with the same races.
template <int length>
void per_event(benchmark::State& state, void (*body)()) {
  for (auto _ : state) {
    const norn::result found = norn::explore(with("dpor", true), body);
    state.SetIterationTime(found.seconds);
    state.counters["executions"] = static_cast<double>(found.executions);
    state.counters["ns_per_event"] = found.seconds / static_cast<double>(found.executions) / length * 1e9;
  }
}
template <int length>
void dpor_long_runs(benchmark::State& state) {
  per_event<length>(state, long_runs<length>);
}
template <int length>
void dpor_long_runs_of_readers(benchmark::State& state) {
  per_event<length>(state, long_runs_of_readers<length>);
}
template <int length>
void dpor_long_runs_of_failures(benchmark::State& state) {
  per_event<length>(state, long_runs_of_failures<length>);
}
BENCHMARK(dpor_long_runs<100>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs<1'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs<10'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs<100'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_readers<100>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_readers<1'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_readers<10'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_readers<100'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_failures<100>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_failures<1'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_failures<10'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dpor_long_runs_of_failures<100'000>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

/// 16! / (4!)^4 = 63,063,000 behaviours.
void four_threads_four_locks() {
  in_threads(4, [](int) {
    for (int k = 0; k < 4; ++k) std::lock_guard lock(mutex);
  });
}

void memory_of_dpor(benchmark::State& state) {
  for (auto _ : state) {
    norn::options how = with("dpor", true);
    how.max_executions = 10'000;
    peak_megabytes();
    norn::explore(how, four_threads_four_locks);
    state.counters["megabytes_10^4_runs"] = peak_megabytes();
    how.max_executions = 10'000'000;
    const norn::result found = norn::explore(how, four_threads_four_locks);
    state.counters["megabytes_10^7_runs"] = peak_megabytes();
    state.SetIterationTime(found.seconds);
  }
}
BENCHMARK(memory_of_dpor)->UseManualTime()->Iterations(1)->Unit(benchmark::kSecond);

void two_jobs_against_one(benchmark::State& state) {
  for (auto _ : state) {
    norn::options how = with("dpor", true);
    const norn::result alone = norn::explore(how, four_threads_three_locks);
    how.jobs = 2;
    const norn::result together = norn::explore(how, four_threads_three_locks);
    state.SetIterationTime(together.seconds);
    state.counters["speed_up"] = alone.seconds / together.seconds;
    state.counters["executions"] = static_cast<double>(together.executions);
  }
}
BENCHMARK(two_jobs_against_one)->UseManualTime()->Iterations(1)->Repetitions(3)->Unit(benchmark::kMillisecond);

}  // namespace
