// What is explored and reported on request: more than the first bug, other wake-ups.

#include <gtest/gtest.h>

#include "command.hpp"

namespace norn::test {
namespace {

TEST(KeepGoing, CountsBugs) {
  const Checked first = check(program("several_bugs.c"));
  EXPECT_EQ(first.summary["bugs"].size(), 1U);
  EXPECT_TRUE(contains(first.summary["reasons"].dump(), "--keep-going")) << first.summary;
  const Checked all = check(program("several_bugs.c"), {"--keep-going"});
  EXPECT_EQ(all.finished.exit_code, 1);
  EXPECT_EQ(all.executions(), 6U);
  EXPECT_EQ(all.summary["deadlocks"], 0);
  ASSERT_EQ(all.summary["bugs"].size(), 2U) << all.summary;
  for (const auto& bug : all.summary["bugs"]) EXPECT_EQ(bug["count"], 2) << bug;
  EXPECT_NE(all.summary["bugs"][0]["trace"], all.summary["bugs"][1]["trace"]);
  EXPECT_NE(all.summary["bugs"][0]["message"], all.summary["bugs"][1]["message"]);
}

TEST(KeepGoing, CountsDeadlocks) {
  const Checked all = check(program("several_bugs.c"), {"--keep-going"}, {"deadlocks"});
  // One thread first, the other first, or both have one of the locks.
  EXPECT_EQ(all.executions(), 3U);
  EXPECT_EQ(all.summary["deadlocks"], 1);
  ASSERT_EQ(all.summary["bugs"].size(), 1U) << all.summary;
  EXPECT_EQ(all.summary["bugs"][0]["kind"], "deadlock");
  EXPECT_EQ(all.summary["bugs"][0]["count"], 1);
}

TEST(Races, AreCountedByTheRunsThatShowThem) {
  // What the two threads do there races in both directions.
  const Checked reported = check(program("unprotected.c"), {"--races", "report"});
  EXPECT_EQ(reported.executions(), 1U);
  ASSERT_EQ(reported.summary["warnings"].size(), 2U) << reported.summary;
  for (const auto& race : reported.summary["warnings"]) EXPECT_EQ(race["count"], 1) << race;
  const Checked explored = check(program("unprotected.c"), {"--plain", "visible", "--keep-going"});
  EXPECT_EQ(explored.executions(), 4U);
  ASSERT_EQ(explored.summary["bugs"].size(), 3U) << explored.summary;
  for (const auto& bug : explored.summary["bugs"]) EXPECT_LE(bug["count"], 4) << bug;
}

TEST(Races, ThatAreOnlyReportedMakeThePassDependOnThem) {
  const Checked reported = check(program("unprotected.c"), {"--races", "report"});
  EXPECT_EQ(reported.verdict(), "pass");
  ASSERT_EQ(reported.summary["assumptions"].size(), 1U) << reported.summary;
  EXPECT_TRUE(contains(reported.summary["assumptions"][0], "--plain visible")) << reported.summary;
  EXPECT_TRUE(
      contains(reported.finished.output, "(as long as there are no behaviours that only come of its data races"))
      << reported.finished.output;
  const Checked without = check(program("locks.c"), {"--races", "report"});
  EXPECT_TRUE(without.summary["assumptions"].empty()) << without.summary;
}

TEST(Wakeup, OfAnyWaiterFindsMoreThanOfTheFirst) {
  const Checked any = check(program("failures.cpp"), {"--wakeup", "any"}, {"wakeup"});
  EXPECT_EQ(any.first_bug(), "assertion") << any.finished.output << any.finished.error;
  const Checked first = check(program("failures.cpp"), {"--wakeup", "fifo"}, {"wakeup"});
  EXPECT_EQ(first.finished.exit_code, 0) << first.finished.output << first.finished.error;
}

TEST(Spurious, WakeupsAreOnRequest) {
  const Checked without = check(program("failures.cpp"), {}, {"spurious"});
  EXPECT_EQ(without.finished.exit_code, 0) << without.finished.output << without.finished.error;
  const Checked with = check(program("failures.cpp"), {"--spurious", "1"}, {"spurious"});
  EXPECT_EQ(with.first_bug(), "assertion") << with.finished.output << with.finished.error;
  EXPECT_TRUE(contains(with.finished.output, "spurious")) << with.finished.output;
}

}  // namespace
}  // namespace norn::test
