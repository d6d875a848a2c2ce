// The run that passes and parts from a failing one as late as possible.

#include "explore/nearest.hpp"

#include <gtest/gtest.h>

#include "toy_program.hpp"

namespace norn::test {
namespace {

constexpr NearestBudget enough{1000, 100};

/// Takes 0 and then 1, or the other way round.
ToyThread locks(int first, int second) { return {lock(first), lock(second), unlock(second), unlock(first)}; }

TEST(NearestPassing, PartsWhereTheDeadlockBecomesCertain) {
  ToyRunner runner({locks(0, 1), locks(1, 0)});
  // After 0 has its first lock, 1 must not take its own.
  EXPECT_EQ(order(nearest_passing(runner, {{0, 0}, {1, 0}}, enough)), "00001111");
}

TEST(NearestPassing, IsAsLongAsPossibleTheSame) {
  ToyRunner runner(independent({3, 3}));
  runner.judge = [](const Schedule& schedule, Outcome& outcome) {
    if (order(schedule).starts_with("0101")) outcome.end = End::assertion;
  };
  EXPECT_EQ(order(nearest_passing(runner, {{0, 0}, {1, 0}, {0, 0}, {1, 0}, {0, 0}, {1, 0}}, enough)), "010011");
}

TEST(NearestPassing, IsNotThereIfEverythingFails) {
  ToyRunner runner(independent({2, 2}));
  runner.judge = [](const Schedule&, Outcome& outcome) { outcome.end = End::assertion; };
  EXPECT_TRUE(nearest_passing(runner, {{0, 0}, {0, 0}, {1, 0}, {1, 0}}, enough).empty());
}

TEST(NearestPassing, KeepsToItsBudget) {
  ToyRunner runner(independent({20, 20}));
  runner.judge = [](const Schedule&, Outcome& outcome) { outcome.end = End::assertion; };
  Schedule schedule(20, {0, 0});
  schedule.insert(schedule.end(), 20, {1, 0});
  EXPECT_TRUE(nearest_passing(runner, schedule, {7, 100}).empty());
  EXPECT_EQ(runner.runs, 7U);
}

}  // namespace
}  // namespace norn::test
