// Time, random numbers, output and memory.

#include "exploration.hpp"

namespace norn::test {
namespace {

const std::string long_line(5000, 'x');

const std::vector<Case> environment_cases = {
    {"environment", "sleeps", {{"ok", "11\n", 1}}, 1},
    {"environment", "yields", {{"ok", "2\n", 2}}, 2},
    // Received or not received.
    {"environment", "clock_after_atomic", {{"ok", "later\n", 1}, {"ok", "", 1}}},
    {"environment", "clock_after_mutex", {{"ok", "later\n", 1}, {"ok", "", 1}}},
    {"environment", "clock_after_semaphore", {{"ok", "later\n", 1}}},
    // Either of the two is the last to arrive.
    {"environment", "clock_after_barrier", {{"ok", "later\n", 2}}},
    // As wait_4 in atomic_test.cpp.
    {"environment", "clock_after_wake_up", {{"ok", "later\n", 4}}},
    {"environment", "clocks_agree", {{"ok", "111111\n", 1}}},
    {"environment", "stack_bounds", {{"ok", ""}}},
    {"environment", "random_is_different", {{"ok", "8\n", 1}}},
    {"environment", "seeded", {{"ok", "1\n", 1}}},
    // Standard output only, in the order in which it would reach a file.
    {"environment", "output", {{"ok", "printf puts\nfputs ! cout 42\n" + long_line + "\nwrite\nunflushed", 1}}},
    {"environment", "output_of_threads", {{"ok", "thread 0\nthread 1\n", 1}, {"ok", "thread 1\nthread 0\n", 1}}},
    // Twice two acquisitions: 6 orders, in each of which the next descriptor is the same.
    {"environment", "files", {{"ok", "text 1\n", 6}}},
    {"environment", "overwrites_arguments", {{"ok", "4 47 4 1\n", 6}}},
    {"environment", "moves_end_of_data", {{"ok", "114096\n", 6}}},
    {"environment", "floating_point", {{"ok", "11111\n", 6}}},
    {"environment", "other_descriptors", {{"ok", "1 1 1 1 1 1 1 1\n", 6}}},
    {"environment", "closes_output", {{"ok", "written\n", 2}}},
    {"environment", "allocation", {{"ok", "1010 11\n", 1}}},
    {"environment", "passed_on", {{"ok", "0\n", 1}, {"ok", "1\n", 1}}},
    {"environment", "double_free", {{"memory", "", 1}}},
    {"environment", "invalid_free", {{"memory", "", 1}}},
};

INSTANTIATE_TEST_SUITE_P(Environment, Primitive, testing::ValuesIn(environment_cases), case_name);

TEST(Environment, SameRunsInAllWays) { expect_same_runs_in_all_ways(environment_cases); }
TEST(Environment, SameOutcomesWithClang) { expect_same_outcomes_with_clang(environment_cases); }

/// Whatever it prints, it prints the same in every run of every exploration.
class Repeatable : public testing::TestWithParam<std::string> {};

TEST_P(Repeatable, SameInEveryRun) {
  const Case expected{"environment", GetParam(), {}};
  const Checked first = explore(expected);
  const Checked second = explore(expected);
  const Checked other = explore(expected, {"--threads", "os", "--isolation", "fork"}, "gcc");
  EXPECT_EQ(first.verdict(), "pass");
  EXPECT_EQ(first.outcomes.size(), 1);
  EXPECT_EQ(second.outcomes, first.outcomes);
  EXPECT_EQ(other.outcomes, first.outcomes);
}

INSTANTIATE_TEST_SUITE_P(Environment, Repeatable,
                         testing::Values("random_numbers", "random_bytes", "random_in_threads", "time_is_the_same"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace norn::test
