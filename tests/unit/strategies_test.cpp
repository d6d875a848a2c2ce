// The strategies on abstract programs, against counts and probabilities that are known.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "explore/strategy.hpp"
#include "toy_program.hpp"

namespace norn::test {
namespace {

std::unique_ptr<Strategy> make(const std::string& name, std::uint64_t seed = 1, unsigned depth = 3) {
  Options options;
  options.seed = seed;
  options.pct_depth = depth;
  options.max_executions = 1'000'000;
  return find_strategy(name)->create(options);
}

/// The schedules of so many runs, or of all if there are fewer.
std::vector<Schedule> explore(Strategy& strategy, ToyRunner& runner, std::size_t runs) {
  std::vector<Schedule> schedules;
  Prefix prefix;
  while (schedules.size() < runs && strategy.next(prefix)) {
    strategy.learn(runner.run(prefix, strategy));
    schedules.push_back(runner.schedule());
  }
  return schedules;
}

std::vector<Schedule> explore(const std::string& name, const ToyProgram& program, std::size_t runs,
                              std::uint64_t seed = 1, unsigned depth = 3) {
  const auto strategy = make(name, seed, depth);
  ToyRunner runner(program);
  return explore(*strategy, runner, runs);
}

// --- The table -------------------------------------------------------------------------------------------------------

TEST(StrategyTable, FindsWhatItLists) {
  std::set<std::string_view> names;
  for (const StrategyInfo& info : strategies()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_EQ(find_strategy(info.name), &info);
    EXPECT_TRUE(info.create == nullptr || info.create(Options()) != nullptr);
  }
  EXPECT_EQ(find_strategy("no-such-strategy"), nullptr);
  EXPECT_EQ(find_strategy(""), nullptr);
  EXPECT_NE(find_strategy(Options().strategy), nullptr) << "the default must exist";
}

// --- exhaustive ------------------------------------------------------------------------------------------------------

constexpr std::size_t no_limit = 10'000'000;

std::uint64_t factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// (sum of lengths)! / product of (length!)
std::uint64_t multinomial(const std::vector<int>& lengths) {
  int sum = 0;
  std::uint64_t result = 1;
  for (const int length : lengths) sum += length;
  result = factorial(sum);
  for (const int length : lengths) result /= factorial(length);
  return result;
}

TEST(Exhaustive, RunsEveryInterleavingOnce) {
  const std::vector<std::vector<int>> programs = {{},     {0},       {1},       {5},       {1, 1},       {2, 2},
                                                  {3, 2}, {1, 1, 1}, {2, 2, 2}, {3, 3, 2}, {1, 1, 1, 1}, {2, 2, 2, 2},
                                                  {4, 4}, {0, 3, 0}, {1, 5},    {6, 6}};
  for (const auto& lengths : programs) {
    const auto schedules = explore("exhaustive", independent(lengths), no_limit);
    std::set<std::string> distinct;
    for (const Schedule& schedule : schedules) distinct.insert(order(schedule));
    EXPECT_EQ(schedules.size(), multinomial(lengths));
    EXPECT_EQ(distinct.size(), schedules.size());
  }
}

/// All schedules of a program, by recursion.
void enumerate(const ToyProgram& program, const ToyState& state, Schedule& schedule,
               std::vector<std::vector<std::pair<int, int>>>& all) {
  const auto enabled = state.enabled(program);
  if (enabled.empty()) {
    all.emplace_back();
    for (const Choice& choice : schedule) all.back().emplace_back(choice.thread, choice.alternative);
    return;
  }
  for (const Choice& choice : enabled) {
    ToyState next = state;
    next.move(program, choice.thread);
    schedule.push_back(choice);
    enumerate(program, next, schedule, all);
    schedule.pop_back();
  }
}

TEST(Exhaustive, FollowsLocksDeadlocksAndAlternatives) {
  ToyOperation signal = update(9);
  signal.alternatives = {4, 7, 8};
  const std::vector<ToyProgram> programs = {
      {{lock(0), unlock(0)}, {lock(0), unlock(0)}},
      {{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)}},
      {{lock(0), update(), unlock(0)}, {lock(0), unlock(0), update()}, {update(), lock(0), unlock(0)}},
      {{signal, update()}, {update(), signal}},
      {{signal}, {signal}, {signal}},
      {{lock(0), lock(0)}},
      {{lock(0)}, {lock(0)}, {lock(0)}},
  };
  for (const ToyProgram& program : programs) {
    std::vector<std::vector<std::pair<int, int>>> expected;
    Schedule schedule;
    enumerate(program, ToyState(program), schedule, expected);
    std::vector<std::vector<std::pair<int, int>>> found;
    for (const Schedule& one : explore("exhaustive", program, no_limit)) {
      found.emplace_back();
      for (const Choice& choice : one) found.back().emplace_back(choice.thread, choice.alternative);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
}

TEST(Exhaustive, PromisesToBeComplete) {
  EXPECT_TRUE(make("exhaustive")->exhausts());
  EXPECT_TRUE(make("auto")->exhausts());
  EXPECT_EQ(make("exhaustive")->guarantee(), "");
}

// --- random ----------------------------------------------------------------------------------------------------------

/// How far counts are from what the probabilities let expect. Seeds are fixed, so a test passes always or never; the
/// bounds used are those that a correct implementation misses with one seed in a thousand.
double chi_square(const std::map<std::string, double>& probabilities, const std::vector<std::string>& seen) {
  std::map<std::string, double> counts;
  for (const std::string& one : seen) {
    EXPECT_TRUE(probabilities.contains(one)) << one << " is not possible";
    ++counts[one];
  }
  double sum = 0;
  for (const auto& [one, probability] : probabilities) {
    const double expected = probability * static_cast<double>(seen.size());
    sum += (counts[one] - expected) * (counts[one] - expected) / expected;
  }
  return sum;
}

/// The 99.9th percentile, by Wilson and Hilferty's approximation.
double bound(std::size_t degrees) {
  const auto k = static_cast<double>(degrees);
  return k * std::pow(1 - 2 / (9 * k) + 3.09 * std::sqrt(2 / (9 * k)), 3);
}

std::vector<std::string> orders(const std::vector<Schedule>& schedules) {
  std::vector<std::string> result;
  for (const Schedule& schedule : schedules) result.push_back(order(schedule));
  return result;
}

/// The probability of every interleaving if each step is uniform over the threads that can move.
void walk(const ToyProgram& program, const ToyState& state, const std::string& so_far, double probability,
          std::map<std::string, double>& all) {
  std::set<ThreadId> threads;
  for (const Choice& choice : state.enabled(program)) threads.insert(choice.thread);
  if (threads.empty()) all[so_far] += probability;
  for (const ThreadId thread : threads) {
    ToyState next = state;
    next.move(program, thread);
    walk(program, next, so_far + static_cast<char>('0' + thread), probability / static_cast<double>(threads.size()),
         all);
  }
}

TEST(Random, IsUniformOverThreads) {
  for (const auto& lengths : std::vector<std::vector<int>>{{1, 1}, {1, 1, 1, 1}, {3, 1}, {2, 2, 1}}) {
    const ToyProgram program = independent(lengths);
    std::map<std::string, double> probabilities;
    walk(program, ToyState(program), "", 1, probabilities);
    const auto seen = orders(explore("random", program, 20'000));
    EXPECT_LT(chi_square(probabilities, seen), bound(probabilities.size() - 1));
  }
}

TEST(Random, IsUniformOverThreadsWhateverTheirAlternatives) {
  ToyOperation many = update();
  many.alternatives = {0, 1, 2};
  std::vector<std::string> seen;
  for (const Schedule& schedule : explore("random", {{many}, {update()}}, 20'000))
    seen.push_back(fmt::format("{}.{}", schedule[0].thread, schedule[0].alternative));
  EXPECT_LT(chi_square({{"0.0", 1 / 6.0}, {"0.1", 1 / 6.0}, {"0.2", 1 / 6.0}, {"1.0", 1 / 2.0}}, seen), bound(3));
}

TEST(Random, DependsOnTheSeedOnly) {
  const ToyProgram program = independent({4, 4, 4});
  const auto first = orders(explore("random", program, 100, 5));
  EXPECT_EQ(orders(explore("random", program, 100, 5)), first);
  EXPECT_NE(orders(explore("random", program, 100, 6)), first);
  EXPECT_NE(orders(explore("random", program, 100, 0)), first);
}

// What one run draws must not change the next: that is what makes the n-th run the same in all processes.
TEST(Random, GivesEveryRunItsOwnStream) {
  const ToyProgram program = independent({4, 4, 4});
  const auto all = orders(explore("random", program, 10, 5));
  const auto strategy = make("random", 5);
  ToyRunner runner(program);
  ToyRunner other(independent({1, 2}));
  Prefix prefix;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_TRUE(strategy->next(prefix));
    EXPECT_TRUE(prefix.empty());
    if (i % 2 == 0) {
      other.run(prefix, *strategy);
      continue;
    }
    runner.run(prefix, *strategy);
    EXPECT_EQ(order(runner.schedule()), all[i]);
  }
}

TEST(Random, PromisesNothing) {
  EXPECT_FALSE(make("random")->exhausts());
  EXPECT_EQ(make("random")->guarantee(), "");
}

// --- pct -------------------------------------------------------------------------------------------------------------

/// How often the turn went away from a thread that was not done, in a program where nobody ever blocks.
int switches_away(const std::string& order, const std::vector<int>& lengths) {
  std::vector<int> left = lengths;
  int count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && order[i] != order[i - 1]) count += left[order[i - 1] - '0'] > 0;
    --left[order[i] - '0'];
  }
  return count;
}

TEST(Pct, OfDepthOneRunsEveryThreadToItsEnd) {
  const std::vector<int> lengths = {3, 2, 4};
  const auto seen = orders(explore("pct", independent(lengths), 6'000, 1, 1));
  std::map<std::string, double> probabilities;
  for (const char* const one : {"000112222", "000222211", "110002222", "112222000", "222200011", "222211000"})
    probabilities[one] = 1 / 6.0;
  EXPECT_LT(chi_square(probabilities, seen), bound(5));
}

TEST(Pct, OfDepthDPreemptsAtMostDMinusOneTimes) {
  const std::vector<int> lengths = {4, 4, 4};
  for (unsigned depth = 1; depth <= 5; ++depth) {
    int most = 0;
    for (const std::string& one : orders(explore("pct", independent(lengths), 3'000, 1, depth)))
      most = std::max(most, switches_away(one, lengths));
    EXPECT_EQ(most, static_cast<int>(depth) - 1) << "what is allowed also happens";
  }
}

TEST(Pct, ChangesAtEveryStep) {
  // Two threads, one change: after i steps of the first, for every i there is.
  std::set<std::string> seen;
  for (const std::string& one : orders(explore("pct", independent({5, 1}), 2'000, 1, 2))) seen.insert(one);
  EXPECT_EQ(seen.size(), 6U);
}

// The promise itself: what d ordering constraints force is found at least as often as the paper says. With two threads,
// an interleaving is forced by one constraint for the thread that comes first and one for every preemption.
TEST(Pct, KeepsItsPromise) {
  struct Case {
    std::vector<int> lengths;
    unsigned depth;
    std::string order;
  };
  const std::vector<Case> cases = {
      {{1, 1}, 1, "10"}, {{4, 4}, 2, "00111100"}, {{1, 5}, 2, "111101"}, {{3, 3}, 3, "010011"}, {{3, 3}, 4, "010110"}};
  constexpr std::size_t runs = 30'000;
  for (const Case& bug : cases) {
    const auto seen = orders(explore("pct", independent(bug.lengths), runs, 3, bug.depth));
    int steps = 0;
    for (const int length : bug.lengths) steps += length;
    const double promised = 1 / (static_cast<double>(bug.lengths.size()) * std::pow(steps, bug.depth - 1.0));
    const double found = static_cast<double>(std::count(seen.begin(), seen.end(), bug.order)) / runs;
    const double deviation = std::sqrt(promised * (1 - promised) / runs);
    EXPECT_GE(found, promised - 3 * deviation) << bug.order << " at depth " << bug.depth;
  }
}

TEST(Pct, SaysWhatItPromises) {
  const auto strategy = make("pct", 1, 3);
  ToyRunner runner(independent({2, 3, 5}));
  explore(*strategy, runner, 5);
  // 1/(3 * 10^2)
  EXPECT_EQ(strategy->guarantee(),
            "each run finds a bug of depth 3 with probability at least 1/(n*k^2) = 0.00333 (n = 3 threads, "
            "k = 10 steps)");
  const auto shallow = make("pct", 1, 1);
  ToyRunner same(independent({2, 3, 5}));
  explore(*shallow, same, 5);
  EXPECT_NE(shallow->guarantee().find("= 0.333 "), std::string::npos) << shallow->guarantee();
  EXPECT_FALSE(strategy->exhausts());
}

TEST(Pct, LearnsFromTheLongestRun) {
  const auto strategy = make("pct", 1, 2);
  ToyRunner longer(independent({4, 4}));
  ToyRunner shorter(independent({1, 1}));
  explore(*strategy, longer, 1);
  explore(*strategy, shorter, 1);
  EXPECT_NE(strategy->guarantee().find("k = 8 steps"), std::string::npos) << strategy->guarantee();
}

TEST(Pct, DependsOnTheSeedOnly) {
  const ToyProgram program = independent({4, 4, 4});
  const auto first = orders(explore("pct", program, 100, 5));
  EXPECT_EQ(orders(explore("pct", program, 100, 5)), first);
  EXPECT_NE(orders(explore("pct", program, 100, 6)), first);
}

TEST(Pct, ChoosesAmongTheAlternativesOfAThread) {
  ToyOperation many = update();
  many.alternatives = {3, 4, 5};
  std::vector<std::string> seen;
  for (const Schedule& schedule : explore("pct", {{many}}, 3'000))
    seen.push_back(std::to_string(schedule[0].alternative));
  EXPECT_LT(chi_square({{"3", 1 / 3.0}, {"4", 1 / 3.0}, {"5", 1 / 3.0}}, seen), bound(2));
}

TEST(Pct, GoesRoundThreadsThatAreBlocked) {
  const ToyProgram program = {{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), unlock(1), lock(0), unlock(0)}};
  for (const Schedule& schedule : explore("pct", program, 500)) EXPECT_EQ(schedule.size(), 8U);
}

// --- pos -------------------------------------------------------------------------------------------------------------

// The first of the other thread's two operations beats it with probability 1/2. If the two do not race, it keeps its
// priority, which is the smaller of two, and beats the second one with probability 1/3; if they do, with 1/2.
TEST(Pos, DrawsAgainAfterARace) {
  const std::map<std::string, double> keeps = {{"100", 1 / 2.0}, {"001", 1 / 3.0}, {"010", 1 / 6.0}};
  const std::map<std::string, double> draws = {{"100", 1 / 2.0}, {"001", 1 / 4.0}, {"010", 1 / 4.0}};
  const std::vector<std::pair<ToyProgram, std::map<std::string, double>>> programs = {
      {{{update(0), update(1)}, {update(1)}}, keeps}, {{{update(1), update(1)}, {update(1)}}, draws},
      {{{load(1), load(1)}, {load(1)}}, keeps},       {{{load(1), update(1)}, {load(1)}}, keeps},
      {{{update(1), load(1)}, {load(1)}}, draws},     {{{load(1), load(1)}, {update(1)}}, draws},
  };
  for (const auto& [program, probabilities] : programs)
    EXPECT_LT(chi_square(probabilities, orders(explore("pos", program, 20'000))), bound(2));
}

TEST(Pos, TakesAnyAlternativeOfTheThreadItChose) {
  ToyOperation many = update();
  many.alternatives = {0, 1, 2};
  std::vector<std::string> seen;
  for (const Schedule& schedule : explore("pos", {{many}, {update()}}, 20'000))
    seen.push_back(fmt::format("{}.{}", schedule[0].thread, schedule[0].alternative));
  EXPECT_LT(chi_square({{"0.0", 1 / 6.0}, {"0.1", 1 / 6.0}, {"0.2", 1 / 6.0}, {"1.0", 1 / 2.0}}, seen), bound(3));
}

TEST(Pos, ComesToEveryInterleaving) {
  const ToyProgram program = {{lock(0), update(1), unlock(0)}, {lock(0), load(2), unlock(0)}, {update(1), load(2)}};
  std::vector<std::vector<std::pair<int, int>>> all;
  Schedule schedule;
  enumerate(program, ToyState(program), schedule, all);
  std::set<std::string> seen;
  for (const std::string& one : orders(explore("pos", program, 5'000))) seen.insert(one);
  EXPECT_EQ(seen.size(), all.size());
}

TEST(Pos, DependsOnTheSeedOnly) {
  const ToyProgram program = independent({4, 4, 4});
  const auto first = orders(explore("pos", program, 100, 5));
  EXPECT_EQ(orders(explore("pos", program, 100, 5)), first);
  EXPECT_NE(orders(explore("pos", program, 100, 6)), first);
}

TEST(Pos, PromisesNothing) {
  EXPECT_FALSE(make("pos")->exhausts());
  EXPECT_EQ(make("pos")->guarantee(), "");
}

}  // namespace
}  // namespace norn::test
