// Runs that go on from the middle of earlier ones are the same as if they had begun at the start.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "command.hpp"

namespace norn::test {
namespace {

class Resuming : public testing::TestWithParam<const char*> {};

void expect_same_from_start(const std::string& source, const Words& options, const Words& arguments = {}) {
  SCOPED_TRACE(source);
  Words from_start = options;
  from_start.emplace_back("--from-start");
  const Checked usual = check(program(source), options, arguments);
  const Checked slow = check(program(source), from_start, arguments);
  EXPECT_FALSE(usual.runs.empty()) << usual.finished.error;
  EXPECT_EQ(usual.runs, slow.runs);
  EXPECT_EQ(usual.outcomes, slow.outcomes);
  for (const char* const key : {"verdict", "executions", "distinct", "deadlocks", "events", "threads_max"})
    EXPECT_EQ(usual.summary[key], slow.summary[key]) << key << "\n" << usual.summary;
}

TEST_P(Resuming, MakesNoDifference) {
  const Words options{"--strategy", GetParam(), "--max-executions", "3000", "--keep-going", "--minimise", "0"};
  expect_same_from_start("kinds_of_state.cpp", options);
  expect_same_from_start("four_lockers.cpp", options, {"2"});
  expect_same_from_start("lost_updates.cpp", options);
  expect_same_from_start("failures.cpp", options);
  expect_same_from_start("tries.c", options);
  expect_same_from_start("spinners.cpp", options);
}

INSTANTIATE_TEST_SUITE_P(Strategies, Resuming,
                         testing::Values("exhaustive", "dpor", "reachability", "random", "pct", "pos"));

TEST(ResumingRaces, MakesNoDifference) {
  const Words options{"--plain", "visible", "--races", "ignore", "--max-executions", "2000", "--minimise", "0"};
  expect_same_from_start("lost_updates.cpp", options);
  expect_same_from_start("late_race.c", options);
}

/// What a run writes to a file that was open before is not taken back: how often the program began.
std::uintmax_t beginnings(const std::string& option) {
  const Scratch scratch;
  const std::string file = scratch.write("beginnings", "");
  const int descriptor = open(file.c_str(), O_WRONLY | O_APPEND);
  const Checked checked =
      check(program("kinds_of_state.cpp"), {"--strategy", "exhaustive", "--max-executions", "1000", option},
            {std::to_string(descriptor)});
  EXPECT_EQ(checked.executions(), 1000) << checked.finished.error;
  close(descriptor);
  return std::filesystem::file_size(file);
}

TEST(ResumingRuns, DoNotBeginAgain) {
  EXPECT_GE(beginnings("--from-start"), 1000U);
  // Exploration begins anew where it finds out that more operations matter; only then does the program.
  EXPECT_LE(beginnings("--keep-going"), 10U);
}

}  // namespace
}  // namespace norn::test
