// The strategy dpor runs every behaviour once: the numbers of behaviours are known.

#include <gtest/gtest.h>

#include "totals.hpp"

namespace norn::test {
namespace {

struct Known {
  std::vector<std::string> arguments;
  unsigned long executions;
  unsigned long deadlocks = 0;
  bool waits = false;  ///< in loops: some runs are given up
};

void PrintTo(const Known& known, std::ostream* stream) {
  for (const std::string& word : known.arguments) *stream << word << " ";
}

class KnownCounts : public testing::TestWithParam<Known> {};

TEST_P(KnownCounts, EachBehaviourOnce) {
  const Known& known = GetParam();
  const Checked checked = check_totals(KNOWN_COUNTS, {"--strategy", "dpor", "--keep-going"}, known.arguments);
  EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
  EXPECT_EQ(checked.executions(), known.executions);
  EXPECT_EQ(checked.distinct(), known.executions);
  EXPECT_EQ(checked.summary.value("deadlocks", 0UL), known.deadlocks);
  EXPECT_TRUE(known.waits || checked.summary.value("partial_runs", 1UL) == 0);
}

/// A round in vain that has been seen once is not run again.
TEST(Loops, CostFewRuns) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"spin_lock", "5"}, {"ticket_lock", "5"}}) {
    const Checked checked = check_totals(KNOWN_COUNTS, {"--strategy", "dpor"}, arguments);
    EXPECT_EQ(checked.executions(), 120);  // 5!
    EXPECT_LT(checked.summary.value("partial_runs", 1000UL), 120) << arguments.front();
  }
}

/// Name and rounds of an algorithm for mutual exclusion.
class Waiting : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Waiting, InLoopsIsCountedAsByExhaustive) {
  const Checked all = check_totals(MUTUAL_EXCLUSION, {"--strategy", "exhaustive"}, GetParam());
  const Checked once = check_totals(MUTUAL_EXCLUSION, {"--strategy", "dpor"}, GetParam());
  EXPECT_TRUE(all.summary.value("complete", false)) << all.finished.error;
  EXPECT_TRUE(once.summary.value("complete", false)) << once.finished.error;
  EXPECT_EQ(once.executions(), all.distinct());
  EXPECT_EQ(once.executions(), once.distinct());
}

INSTANTIATE_TEST_SUITE_P(MutualExclusion, Waiting,
                         testing::ValuesIn(std::vector<std::vector<std::string>>{{"peterson", "1", "1"},
                                                                                 {"peterson", "2", "2"},
                                                                                 {"remembering_peterson", "2", "1"},
                                                                                 {"dekker", "2", "1"},
                                                                                 {"szymanski", "2", "1"},
                                                                                 {"bakery", "2", "1"}}));

INSTANTIATE_TEST_SUITE_P(
    Literature, KnownCounts,
    testing::Values(Known{{"locks", "2", "3"}, 20}, Known{{"locks", "3", "2"}, 90}, Known{{"locks", "4", "2"}, 2520},
                    Known{{"crowd", "1"}, 64}, Known{{"crowd", "50"}, 64}, Known{{"readers", "6"}, 64},
                    Known{{"readers", "10"}, 1024}, Known{{"pairs", "5"}, 32}, Known{{"philosophers", "4", "1"}, 15, 1},
                    Known{{"philosophers", "6", "1"}, 63, 1}, Known{{"philosophers", "4", "2"}, 831, 45},
                    Known{{"last_zero", "5"}, 64}, Known{{"last_zero", "8"}, 704}, Known{{"last_zero", "10"}, 3328},
                    Known{{"fibonacci", "4"}, 19605}, Known{{"file_system", "13"}, 1}, Known{{"file_system", "14"}, 2},
                    Known{{"indexer", "11"}, 1}, Known{{"indexer", "12"}, 8}, Known{{"indexer", "13"}, 64},
                    Known{{"exits", "0"}, 22}, Known{{"exits_of_two", "0"}, 33},
                    Known{{"ticket_lock", "2"}, 2, 0, true}, Known{{"ticket_lock", "3"}, 6, 0, true},
                    Known{{"ticket_lock", "4"}, 24, 0, true}, Known{{"spin_lock", "2"}, 2, 0, true},
                    Known{{"spin_lock", "3"}, 6, 0, true}, Known{{"spin_lock", "4"}, 24, 0, true},
                    // As exhaustive counts them.
                    Known{{"patient_spin_lock", "2"}, 4, 0, true}, Known{{"patient_spin_lock", "3"}, 36, 0, true},
                    Known{{"roomy_wait", "1", "0"}, 2, 0, true}, Known{{"roomy_wait", "1", "512"}, 2, 0, true},
                    Known{{"roomy_wait", "2", "192"}, 4, 0, true}, Known{{"roomy_wait", "2", "2048"}, 4, 0, true}));

}  // namespace
}  // namespace norn::test
