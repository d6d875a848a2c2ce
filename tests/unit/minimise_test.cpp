// Minimising failing schedules: to known minima, to those of all schedules of random programs, and within its budget.

#include "explore/minimise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "explore/blocks.hpp"
#include "toy_random.hpp"

namespace norn::test {
namespace {

constexpr MinimisationBudget plenty{10'000'000, 1'000};

/// Runs a toy until it fails, every time in another random order.
std::optional<Schedule> fail(ToyRunner& runner, std::uint64_t seed) {
  Options options;
  options.seed = seed;
  const auto strategy = make_random(options);
  Prefix prefix;
  for (int i = 0; i < 1000 && strategy->next(prefix); ++i)
    if (is_bug(runner.run(prefix, *strategy).end())) return runner.schedule();
  return std::nullopt;
}

bool is_any_bug(const Trace& trace) { return is_bug(trace.end()); }

/// `order` is who moves, as a string of digits.
Schedule schedule_of(const std::string& order) {
  Schedule schedule;
  for (const char thread : order) schedule.push_back({static_cast<ThreadId>(thread - '0'), 0});
  return schedule;
}

/// A run that fails as soon as the operations have happened in this order.
BuggyToy in_order(const ToyProgram& program, const std::vector<Point>& points) {
  BuggyToy toy{program, {}};
  for (std::size_t i = 1; i < points.size(); ++i) toy.bug.orders.push_back({points[i - 1], points[i]});
  return toy;
}

void expect_minimum(const BuggyToy& toy, const std::string& from, unsigned preemptions, std::size_t events) {
  ToyRunner runner = toy.runner();
  const Minimised best = minimise(runner, schedule_of(from), is_any_bug, plenty);
  EXPECT_TRUE(best.reproduced) << from;
  EXPECT_EQ(best.preemptions, preemptions) << from << " became " << order(best.schedule);
  EXPECT_EQ(best.schedule.size(), events) << from << " became " << order(best.schedule);
  EXPECT_EQ(best.from_events, from.size());
  EXPECT_TRUE(best.complete) << from;
  EXPECT_EQ(best.runs, runner.runs);
}

// --- Known minima ----------------------------------------------------------------------------------------------------

TEST(Minimising, FindsTheWrongOrderWithoutPreemption) {
  // It is enough that 1 comes first: 1110.
  expect_minimum(in_order(independent({3, 3}), {{1, 0}, {0, 0}}), "10", 0, 4);
}

/// Both load (their second operation) before either stores (their third).
BuggyToy lost_update() { return {independent({4, 4}), {{{{0, 1}, {1, 2}}, {{1, 1}, {0, 2}}}}}; }

TEST(Minimising, FindsTheLostUpdateWithOnePreemption) {
  // 0011110 or 1100001: one is preempted before it stores, and the other need not be.
  expect_minimum(lost_update(), "010110", 1, 7);
  expect_minimum(lost_update(), "101001", 1, 7);
}

TEST(Minimising, FindsTwoPreemptionsAndThreeWhereFewerAreNotEnough) {
  // 01001: both are preempted after their first operation.
  expect_minimum(in_order(independent({3, 3}), {{0, 0}, {1, 0}, {0, 1}, {1, 1}}), "0101", 2, 5);
  // 010110: 0 once more, so that 1 comes before its last operation.
  expect_minimum(in_order(independent({3, 3}), {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}}), "01010", 3, 6);
}

TEST(Minimising, FindsDeadlocks) {
  const ToyProgram program = {{update(5), lock(0), lock(1), unlock(1), unlock(0)},
                              {update(6), lock(1), lock(0), unlock(0), unlock(1)},
                              {update(7), update(7), update(7)}};
  // 0 or 1 is preempted with one lock; the third thread has to end before nobody can go on.
  const BuggyToy toy = in_order(program, {{0, 9}, {0, 9}});
  for (const char* const from : {"2012012", "0212102", "0011222"}) expect_minimum(toy, from, 1, 7);
}

TEST(Minimising, LeavesOutWhoeverHasNothingToDoWithIt) {
  const ToyProgram program = independent({5, 5, 5, 5});
  // 2 before 3, both alone: 222223.
  expect_minimum(in_order(program, {{2, 0}, {3, 0}}), "0123", 0, 6);
  // 2 in the middle of 3: 333222223.
  expect_minimum(in_order(program, {{3, 2}, {2, 0}, {3, 3}}), "013030131203", 1, 9);
}

TEST(Minimising, KeepsTheAlternativesThatMatter) {
  ToyOperation signal{Op::condition_signal, 0, Effect::write, {1, 2, 3}};
  const BuggyToy toy{{{update(), signal, update()}, {update(), signal, update()}}, {{{{1, 1}, {0, 1}}}, 3, {1, 1}}};
  ToyRunner runner = toy.runner();
  const Schedule from = {{0, 0}, {1, 0}, {1, 3}, {0, 2}};
  const Minimised best = minimise(runner, from, is_any_bug, plenty);
  EXPECT_TRUE(best.complete);
  EXPECT_EQ(best.from_preemptions, 2U);
  EXPECT_EQ(best.preemptions, 0U);
  EXPECT_EQ(order(best.schedule), "11100");
  EXPECT_EQ(best.schedule[1].alternative, 3);
}

TEST(Minimising, OfARunWithoutEventsHasNothingToDo) {
  ToyRunner runner(independent({2, 2}));
  runner.fails = [](const Schedule&, Outcome& outcome) {
    outcome.end = End::abort;
    return true;
  };
  const Minimised best = minimise(runner, {}, is_any_bug, plenty);
  EXPECT_TRUE(best.reproduced && best.complete);
  EXPECT_EQ(best.schedule, Schedule());
  EXPECT_EQ(best.outcome.end, End::abort);
}

TEST(Minimising, StaysWithItsBug) {
  // Without preemption there is a bug too, but another one.
  ToyRunner runner(independent({2, 2}));
  runner.judge = [](const Schedule& schedule, Outcome& outcome) {
    outcome.end = End::assertion;
    outcome.set_message(order(schedule) == "0101" || order(schedule) == "0110" ? "this" : "that");
  };
  const auto shows = [](const Trace& trace) { return std::string_view(trace.outcome->message) == "this"; };
  const Minimised best = minimise(runner, schedule_of("0101"), shows, plenty);
  EXPECT_EQ(order(best.schedule), "0110");
  EXPECT_STREQ(best.outcome.message, "this");
  EXPECT_TRUE(best.complete);
}

// --- Against all schedules -------------------------------------------------------------------------------------------

TEST(Minimising, FindsTheMinimumOfAllSchedules) {
  std::size_t compared = 0;
  std::size_t simplified = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const BuggyToy toy = random_toy(seed);
    ToyRunner runner = toy.runner();
    const auto from = fail(runner, seed);
    if (!from) continue;
    const End end = runner.run(*from, *make_exhaustive({})).end();
    std::pair<unsigned, std::size_t> expected(UINT_MAX, 0);
    for (const ToyRun& run : all_runs(toy))
      if (run.end == end) expected = std::min(expected, {run.preemptions, run.schedule.size()});
    const auto shows = [end](const Trace& trace) { return trace.end() == end; };
    const Minimised best = minimise(runner, *from, shows, plenty);
    ASSERT_TRUE(best.reproduced && best.complete) << "seed " << seed;
    ASSERT_EQ(std::pair(best.preemptions, best.schedule.size()), expected) << "seed " << seed;
    ++compared;
    simplified += std::pair(best.from_preemptions, best.from_events) != expected;
    // With less to spend it may miss the minimum, but never claims too much.
    for (const std::uint64_t runs : {1, 3, 10, 30, 100}) {
      runner.runs = 0;
      const Minimised some = minimise(runner, *from, shows, {runs, 1'000});
      ASSERT_TRUE(some.reproduced) << "seed " << seed;
      EXPECT_LE(some.runs, runs) << "seed " << seed;
      EXPECT_EQ(some.runs, runner.runs) << "seed " << seed;
      EXPECT_LE(std::pair(some.preemptions, some.schedule.size()), std::pair(some.from_preemptions, some.from_events));
      EXPECT_TRUE(!some.complete || some.preemptions == expected.first) << "seed " << seed;
      EXPECT_EQ(runner.run(some.schedule, *make_exhaustive({})).end(), end) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(simplified, compared / 3) << "most of them begin with the minimum: they show nothing";
}

// --- Long runs -------------------------------------------------------------------------------------------------------

// Greedy alone: the budget is far too small for the search of one preemption, let alone two.
TEST(Minimising, OfLongRunsTakesFewRuns) {
  const BuggyToy toy{independent({200, 200, 200}), {{{{0, 100}, {1, 50}}, {{1, 60}, {0, 101}}}}};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ToyRunner runner = toy.runner();
    // A random run does not fail: the order that makes it fail is put into one.
    Schedule from;
    SplitMix64 random(seed);
    const auto mix = [&](std::vector<int> lengths) {
      while (std::any_of(lengths.begin(), lengths.end(), [](int length) { return length > 0; })) {
        const auto thread = static_cast<ThreadId>(random.below(lengths.size()));
        if (lengths[thread]-- > 0) from.push_back({thread, 0});
      }
    };
    mix({101, 50, 70});
    mix({0, 11, 30});
    mix({1, 0, 0});
    const Minimised best = minimise(runner, from, is_any_bug, {1'000, 1'000});
    EXPECT_TRUE(best.reproduced);
    EXPECT_GT(best.from_preemptions, 60U);
    EXPECT_EQ(best.preemptions, 1U) << "seed " << seed;
    EXPECT_LE(best.runs, 1'000U);
  }
}

// --- Limits and mishaps ----------------------------------------------------------------------------------------------

TEST(Minimising, LeavesWhatDoesNotShowAgain) {
  ToyRunner runner(independent({3, 3}));
  const Minimised best = minimise(runner, schedule_of("010101"), is_any_bug, plenty);
  EXPECT_FALSE(best.reproduced);
  EXPECT_FALSE(best.complete);
  EXPECT_EQ(best.runs, 1U);
}

TEST(Minimising, WithoutABudgetRunsNothing) {
  for (const MinimisationBudget& budget : {MinimisationBudget{0, 100}, {100, 0}, {100, -1}}) {
    ToyRunner runner = lost_update().runner();
    const Minimised best = minimise(runner, schedule_of("01011010"), is_any_bug, budget);
    EXPECT_FALSE(best.reproduced);
    EXPECT_EQ(runner.runs, 0U);
  }
}

TEST(Minimising, EndsWithItsTime) {
  // Three preemptions: far too many schedules have two.
  ToyRunner runner = in_order(independent({9, 9, 9}), {{0, 3}, {1, 3}, {0, 4}, {1, 4}, {0, 5}}).runner();
  runner.judge = [](const Schedule&, Outcome&) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  const Minimised best = minimise(runner, schedule_of("0202020111120110"), is_any_bug, {plenty.runs, 0.05});
  EXPECT_TRUE(best.reproduced);
  EXPECT_FALSE(best.complete);
  EXPECT_GT(best.runs, 1U);
  EXPECT_LT(best.runs, 52U);
}

TEST(Minimising, KeepsWhatItHasWhenItIsInterrupted) {
  std::vector<unsigned> seen;
  for (std::uint64_t after = 1; after < 60; after += 3) {
    ToyRunner runner = lost_update().runner();
    runner.judge = [&](const Schedule&, Outcome&) { stop_requested = runner.runs + 1 == after; };
    const Minimised best = minimise(runner, schedule_of("01011010"), is_any_bug, plenty);
    stop_requested = false;
    EXPECT_TRUE(best.reproduced);
    EXPECT_LE(best.runs, after);
    seen.push_back(best.preemptions);
  }
  EXPECT_GT(seen.front(), 1U);
  EXPECT_EQ(seen.back(), 1U);
}

TEST(Minimising, ProvesNothingWhereRunsAreCut) {
  ToyRunner runner = lost_update().runner();
  runner.judge = [](const Schedule& schedule, Outcome& outcome) {
    if (order(schedule) == "11110000") outcome.end = End::step_limit;
  };
  const Minimised best = minimise(runner, schedule_of("01011010"), is_any_bug, plenty);
  EXPECT_EQ(best.preemptions, 1U);
  EXPECT_FALSE(best.complete) << "who knows what comes after 11110000";
}

TEST(Minimising, DoesNotAskToBeginAnew) {
  ToyRunner runner = lost_update().runner();
  runner.restart = true;
  minimise(runner, schedule_of("01011010"), is_any_bug, plenty);
  EXPECT_TRUE(runner.restart);
}

TEST(Minimising, HasABudgetForEveryBugAndOneForAll) {
  Options options;
  EXPECT_EQ(minimisation_budget(options, 1, 0).runs, default_minimise);
  EXPECT_EQ(minimisation_budget(options, 1, 0).seconds, 2);
  EXPECT_EQ(minimisation_budget(options, 3, 1).seconds, 2);
  EXPECT_EQ(minimisation_budget(options, 10, 0).seconds, 1) << "ten seconds for all";
  EXPECT_EQ(minimisation_budget(options, 1, 10).seconds, 0);
  options.minimise = 1'000'000;
  EXPECT_EQ(minimisation_budget(options, 1, 0).seconds, 100);
  options.minimise = 0;
  EXPECT_EQ(minimisation_budget(options, 1, 0).runs, 0U);
}

TEST(SameBugs, HaveTheSameEndPlaceAndMessage) {
  Outcome one;
  one.end = End::assertion;
  one.set_message("no");
  Outcome other = one;
  other.thread = 3;
  EXPECT_TRUE(same_bug(one, other)) << "whichever thread it is";
  other.end = End::abort;
  EXPECT_FALSE(same_bug(one, other));
  other = one;
  other.site = &one;
  EXPECT_FALSE(same_bug(one, other));
  other = one;
  other.set_message("not");
  EXPECT_FALSE(same_bug(one, other));
}

// --- Blocks ----------------------------------------------------------------------------------------------------------

std::string threads(const Blocks& blocks) {
  std::string text;
  for (const Block& block : blocks) text += static_cast<char>('0' + block.thread);
  return text;
}

TEST(Blocks, AreWhereOneThreadMoves) {
  EXPECT_EQ(blocks_of({}), Blocks());
  EXPECT_EQ(blocks_of(schedule_of("0010")), (Blocks{{0, 0, 2}, {1, 2, 3}, {0, 3, 4}}));
}

TEST(Blocks, CanBeEdited) {
  const Blocks blocks = blocks_of(schedule_of("01202101"));
  const auto result = [&](Edit edit, std::size_t first, std::size_t count) {
    return threads(edited(blocks, edit, first, count));
  };
  EXPECT_EQ(result(Edit::leave_out, 1, 3), "02101");
  EXPECT_EQ(result(Edit::gather_early, 0, 8), "00011122");
  EXPECT_EQ(result(Edit::gather_late, 0, 8), "22000111");
  EXPECT_EQ(result(Edit::gather_early, 1, 5), "01122001");
  EXPECT_EQ(result(Edit::gather_late, 1, 5), "00221101");
  EXPECT_EQ(result(Edit::pull, 0, 1), "00122101");
  EXPECT_EQ(result(Edit::push, 0, 1), "12002101");
  EXPECT_EQ(result(Edit::pull, 7, 1), "01202101") << "there is no next one";
  EXPECT_EQ(edited(blocks, Edit::gather_early, 0, 3), blocks) << "nothing to gather";
}

/// Who moves if the blocks are followed.
std::string follow(const ToyProgram& program, const Schedule& schedule, const Blocks& blocks) {
  FollowBlocks strategy(schedule, blocks);
  ToyRunner runner(program);
  Prefix prefix;
  strategy.next(prefix);
  runner.run(prefix, strategy);
  const std::string once = order(runner.schedule());
  strategy.next(prefix);
  runner.run(prefix, strategy);
  EXPECT_EQ(order(runner.schedule()), once) << "a run changed the next";
  return once;
}

TEST(Blocks, AreFollowedAsFarAsPossible) {
  const ToyProgram two = independent({3, 3});
  const Schedule schedule = schedule_of("010110");
  EXPECT_EQ(follow(two, schedule, blocks_of(schedule)), "010110");
  EXPECT_EQ(follow(two, {}, {}), "000111") << "after the last block nobody is preempted";
  EXPECT_EQ(follow(two, schedule, {{1, 1, 2}}), "111000");
  const ToyProgram locks = {{lock(), update(), unlock()}, {lock(), update(), unlock()}, {update(), update()}};
  // 1 cannot have its turn as long as 0 has the lock; 2 has its own, and then 1 is tried again.
  const Schedule wish = schedule_of("011220012");
  EXPECT_EQ(follow(locks, wish, blocks_of(wish)), "02200111");
}

TEST(Blocks, TakeAnotherAlternativeWhereTheirsIsGone) {
  ToyRunner runner({{{Op::condition_signal, 0, Effect::write, {4, 5}}}});
  for (const auto& [wanted, taken] : {std::pair{5, 5}, {7, 4}}) {
    const Schedule schedule = {{0, static_cast<std::uint16_t>(wanted)}};
    const Blocks blocks = blocks_of(schedule);
    FollowBlocks strategy(schedule, blocks);
    Prefix prefix;
    strategy.next(prefix);
    runner.run(prefix, strategy);
    EXPECT_EQ(runner.schedule()[0].alternative, taken);
  }
}

}  // namespace
}  // namespace norn::test
