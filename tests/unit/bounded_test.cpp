// The search with a bound on preemptions, against all schedules of small programs.

#include "explore/bounded.hpp"

#include <gtest/gtest.h>

#include <set>

#include "explore/preemption.hpp"
#include "toy_random.hpp"

namespace norn::test {
namespace {

using Key = std::vector<std::pair<int, int>>;

Key key(const Schedule& schedule) {
  Key result;
  for (const Choice& choice : schedule) result.emplace_back(choice.thread, choice.alternative);
  return result;
}

/// What a search runs, each schedule with how the run ended.
std::vector<ToyRun> explore(BoundedSearch& search, ToyRunner& runner) {
  std::vector<ToyRun> runs;
  Prefix prefix;
  while (search.next(prefix)) {
    // As with processes: what happens to the strategy during the run dies with the run.
    BoundedSearch child = search;
    const Trace& trace = runner.run(prefix, child);
    search.learn(trace);
    runs.push_back({runner.schedule(), 0, trace.end()});
  }
  return runs;
}

/// Runs a whole schedule without forcing it, so that the trace has all choices.
class Follow final : public Strategy {
 public:
  explicit Follow(Schedule schedule) : schedule_(std::move(schedule)) {}
  bool next(Prefix&) override { return true; }
  std::size_t choose(const FreeChoice& at) override {
    return std::find(at.enabled.begin(), at.enabled.end(), schedule_.at(at.step)) - at.enabled.begin();
  }
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }

 private:
  Schedule schedule_;
};

std::size_t runs_within(unsigned bound, const ToyProgram& program) {
  BoundedSearch search(bound);
  ToyRunner runner(program);
  return explore(search, runner).size();
}

TEST(BoundedSearch, CountsPreemptions) {
  // 0011 and 1100; 0110 and 1001; 0101 and 1010.
  const ToyProgram two = independent({2, 2});
  EXPECT_EQ(runs_within(0, two), 2U);
  EXPECT_EQ(runs_within(1, two), 4U);
  EXPECT_EQ(runs_within(2, two), 6U);
  EXPECT_EQ(runs_within(100, two), 6U);
  EXPECT_EQ(runs_within(0, {}), 1U);
  EXPECT_EQ(runs_within(0, independent({3, 3, 3})), 6U) << "every order of the threads";
  // 1 may begin after 1, 2, ... or all 9 steps of 0, or before it, when 0 may come back after each of its 9 steps.
  EXPECT_EQ(runs_within(1, independent({9, 9})), 18U);
}

TEST(BoundedSearch, ChargesNothingForAlternatives) {
  ToyOperation signal{Op::condition_signal, 0, Effect::write, {1, 2, 3}};
  EXPECT_EQ(runs_within(0, {{signal, signal}}), 9U);
  EXPECT_EQ(runs_within(0, {{update(), signal}, {update()}}), 6U);
}

TEST(BoundedSearch, ChargesNothingForThreadsThatWait) {
  // 0 takes both locks, or 1 does, or each has one: then both wait, and 0 or 1 was preempted to get there.
  const ToyProgram locks = {{lock(0), lock(1)}, {lock(1), lock(0)}};
  EXPECT_EQ(runs_within(0, locks), 2U);
  EXPECT_EQ(runs_within(1, locks), 4U);
}

TEST(BoundedSearch, RunsEverythingWithinTheBoundOnce) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const BuggyToy toy = random_toy(seed);
    const auto all = all_runs(toy);
    ToyRunner runner = toy.runner();
    for (unsigned bound = 0; bound <= 3; ++bound) {
      std::set<Key> expected;
      bool beyond = false;
      for (const ToyRun& run : all) {
        if (run.preemptions <= bound)
          expected.insert(key(run.schedule));
        else
          beyond = true;
      }
      BoundedSearch search(bound);
      std::set<Key> found;
      for (const ToyRun& run : explore(search, runner)) EXPECT_TRUE(found.insert(key(run.schedule)).second);
      ASSERT_EQ(found, expected) << "seed " << seed << ", at most " << bound;
      EXPECT_EQ(search.exhausts(), !beyond) << "seed " << seed << ", at most " << bound;
    }
  }
}

TEST(BoundedSearch, MeansTheSameAsTheReport) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const BuggyToy toy = random_toy(seed);
    ToyRunner runner = toy.runner();
    for (const ToyRun& run : all_runs(toy)) {
      Follow follow(run.schedule);
      ASSERT_EQ(preemptions(runner.run({}, follow)), run.preemptions) << "seed " << seed;
    }
  }
}

TEST(BoundedSearch, CanBeLimitedToShortRuns) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const BuggyToy toy = random_toy(seed);
    ToyRunner runner = toy.runner();
    for (std::size_t most = 0; most < 8; ++most) {
      std::set<Key> expected;
      for (const ToyRun& run : all_runs(toy))
        if (run.preemptions <= 1 && run.schedule.size() <= most) expected.insert(key(run.schedule));
      BoundedSearch search(1);
      search.limit_events(most);
      std::set<Key> found;
      for (const ToyRun& run : explore(search, runner)) {
        EXPECT_LE(run.schedule.size(), most);
        if (run.end != End::diverged) found.insert(key(run.schedule));
      }
      ASSERT_EQ(found, expected) << "seed " << seed << ", at most " << most;
    }
  }
}

TEST(BoundedSearch, CanBeLimitedOnItsWay) {
  BoundedSearch search(9);
  ToyRunner runner(independent({4, 4}));
  Prefix prefix;
  for (int i = 0; i < 5 && search.next(prefix); ++i) search.learn(runner.run(prefix, search));
  search.limit_events(3);
  // 0001 is tried already when the limit comes, and what is left of the 2^3 beginnings of three steps is cut there.
  std::set<std::string> found;
  while (search.next(prefix)) {
    EXPECT_LE(prefix.size(), 3U);
    search.learn(runner.run(prefix, search));
    EXPECT_TRUE(found.insert(order(runner.schedule())).second);
  }
  EXPECT_EQ(found, (std::set<std::string>{"001", "010", "011", "100", "101", "110", "111"}));
}

}  // namespace
}  // namespace norn::test
