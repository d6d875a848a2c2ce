// Strategies that sample, and what `auto` goes on with.

#include <gtest/gtest.h>

#include <set>

#include "command.hpp"

namespace norn::test {
namespace {

TEST(Sampling, IsNeverComplete) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    // There is only one interleaving, and still.
    const Checked checked = check(program("locks.c"), {"--strategy", strategy, "--max-executions", "20"}, {"1"});
    EXPECT_EQ(checked.finished.exit_code, 3);
    EXPECT_EQ(checked.verdict(), "incomplete");
    EXPECT_EQ(checked.summary["complete"], false);
    EXPECT_EQ(checked.executions(), 20U);
    EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "samples")) << checked.summary["reasons"];
    for (const auto& reason : checked.summary["reasons"])
      EXPECT_TRUE(contains(checked.finished.output, reason)) << checked.finished.output;
  }
}

// Strategy dpor cannot go on from a run with a race, but that it has found one is what counts: exhaustive, which auto
// would go on with, comes to it only after many thousands of runs.
TEST(Auto, ReportsARaceWhereItIsFound) {
  const Checked checked = check(program("late_race.c"), {"--max-executions", "10"});
  EXPECT_EQ(checked.finished.exit_code, 1);
  EXPECT_EQ(checked.verdict(), "bug");
}

// What the runs before a restart were like does not count: they did not show all operations.
TEST(Sampling, FindsNoMoreBehavioursThanThereAre) {
  const Checked all = check(program("tries.c"), {"--strategy", "dpor"});
  EXPECT_EQ(all.finished.exit_code, 0);
  const Checked sampled = check(program("tries.c"), {"--strategy", "random", "--max-executions", "500"});
  EXPECT_EQ(sampled.summary["distinct"], all.summary["distinct"]);
}

TEST(Sampling, HasABudgetOfItsOwn) {
  const Checked checked = check(program("locks.c"), {"--strategy", "random"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_GE(checked.executions(), 1000U);
}

TEST(Sampling, OfPctSaysWhatItGuarantees) {
  // Four threads with the main one, three of which take six steps together: 1/(4 * 6^2).
  const Checked checked = check(program("locks.c"), {"--strategy", "pct", "--max-executions", "20"}, {"3", "2"});
  for (const char* const part : {"depth 3", "n = 4 threads", "6 steps", "0.00694"})
    EXPECT_TRUE(contains(checked.finished.output, part)) << part << " is missing in\n" << checked.finished.output;
  EXPECT_TRUE(contains(checked.summary.value("guarantee", ""), "k = 6")) << checked.summary;
  const Checked shallow = check(program("locks.c"), {"--strategy", "pct", "--max-executions", "5", "--pct-depth", "1"});
  EXPECT_TRUE(contains(shallow.finished.output, "depth 1")) << shallow.finished.output;
}

TEST(Sampling, RepeatsItselfWithTheSameSeed) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    const auto runs = [&](const char* seed) {
      return check(program("locks.c"), {"--strategy", strategy, "--max-executions", "50", "--seed", seed}, {"3", "3"})
          .runs;
    };
    const auto first = runs("7");
    ASSERT_EQ(first.size(), 50U);
    EXPECT_EQ(runs("7"), first) << strategy;
    EXPECT_NE(runs("8"), first) << strategy;
    EXPECT_GT(std::set<std::string>(first.begin(), first.end()).size(), 3U) << strategy << " does not vary";
  }
}

}  // namespace
}  // namespace norn::test
