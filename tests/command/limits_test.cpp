// Limits of an exploration and of its runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "command.hpp"

namespace norn::test {
namespace {

TEST(Limits, OfExecutions) {
  const Checked checked = check(program("locks.c"), {"--max-executions", "4"}, {"2", "2"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_EQ(checked.executions(), 4U);
  EXPECT_EQ(checked.runs.size(), 4U);
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "--max-executions")) << checked.summary;
  // A limit that is not reached changes nothing.
  EXPECT_EQ(check(program("locks.c"), {"--max-executions", "7"}, {"2", "2"}).finished.exit_code, 0);
}

TEST(Limits, OfSeconds) {
  const auto before = std::chrono::steady_clock::now();
  const Finished finished = norn({"check", program("locks.c"), "--max-seconds", "0.3", "--", "4", "8"});
  EXPECT_EQ(finished.exit_code, 3) << finished.error;
  EXPECT_TRUE(contains(finished.output, "--max-seconds")) << finished.output;
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

TEST(Limits, OfAddressesAreNoneOfNorn) {
  const std::string limit = "ulimit -v 4000000; ";
  if (shell(limit + "norn --version").exit_code != 0) GTEST_SKIP() << "the command itself needs more, with sanitizers";
  const Finished finished = shell(limit + "norn check " + program("locks.c"));
  EXPECT_EQ(finished.exit_code, 2) << finished.error;
  EXPECT_TRUE(contains(finished.error, "ulimit -v unlimited")) << finished.error;
  EXPECT_EQ(std::count(finished.error.begin(), finished.error.end(), '\n'), 1) << finished.error;
}

/// Nor does an estimate of the rest use them.
TEST(Limits, LeaveTheProgramItsNames) {
  EXPECT_EQ(norn({"check", program("own_names.c")}).exit_code, 0);
  for (const std::string strategy : {"dpor", "exhaustive", "pct"}) {
    const Finished finished =
        norn({"check", program("own_names.c"), "--strategy", strategy, "--max-executions", "300"});
    EXPECT_EQ(finished.exit_code, 3) << strategy << finished.error;
  }
}

/// Not only between runs.
TEST(Limits, CutRunsThatAreUnderWay) {
  for (const std::string strategy : {"pos", "exhaustive", "dpor"})
    for (const std::string isolation : {"snapshot", "fork"}) {
      SCOPED_TRACE(strategy + " " + isolation);
      const auto start = std::chrono::steady_clock::now();
      const Checked checked =
          check(program("long_run.c"), {"--strategy", strategy, "--isolation", isolation, "--max-seconds", "0.2"});
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));  // it would take minutes
      EXPECT_EQ(checked.finished.exit_code, 3);
      EXPECT_EQ(checked.executions(), 0);
      EXPECT_TRUE(contains(checked.finished.output, "(--max-seconds), in the middle of a run"))
          << checked.finished.output;
    }
}

// What is done for every step of a run must not take longer and longer.
TEST(Limits, EndLongRunsSoon) {
  const Checked checked = check(program("counting.c"), {"--max-seconds", "15"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  const std::string reasons = checked.summary["reasons"].dump();
  EXPECT_TRUE(contains(reasons, "--max-steps") && !contains(reasons, "--max-seconds")) << reasons;
}

TEST(Limits, OfSteps) {
  const Checked checked = check(program("locks.c"), {"--max-steps", "5"}, {"2", "3"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "--max-steps")) << checked.summary;
}

/// Plain accesses are no scheduling points, however many there are. Only what may be a loop that waits lets others go
/// first, and then it is not known what would happen otherwise.
TEST(Limits, OfComputations) {
  const std::string computing = program("computing.c");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"5000", "write"}, {"4000", "read"}, {"9000", "before"}}) {
    const Checked checked = check(computing, {}, arguments);
    EXPECT_EQ(checked.finished.exit_code, 0) << arguments[1] << checked.finished.output;
    EXPECT_EQ(checked.executions(), 2U) << arguments[1];
  }
  const Checked long_search = check(computing, {}, {"9000", "read"});
  EXPECT_EQ(long_search.finished.exit_code, 3);
  EXPECT_TRUE(contains(long_search.summary["reasons"].dump(), "a thread computes for so long")) << long_search.summary;
}

TEST(Limits, OfThreads) {
  const Checked checked = check(program("locks.c"), {"--max-threads", "3"}, {"3"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "--max-threads")) << checked.summary;
  EXPECT_EQ(check(program("locks.c"), {"--max-threads", "4"}, {"3"}).finished.exit_code, 0);
}

}  // namespace
}  // namespace norn::test
