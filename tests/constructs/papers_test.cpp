// The programs of the papers on reachability testing: the numbers of their sequences are published, or worked out by
// brute force. Both optimal strategies run each sequence once.

#include <gtest/gtest.h>

#include "totals.hpp"

namespace norn::test {
namespace {

struct Known {
  std::string program;
  std::vector<std::string> arguments;
  unsigned long sequences;
  unsigned long deadlocks = 0;
  unsigned long partial_runs = 0;  ///< at most
};

void PrintTo(const Known& known, std::ostream* stream) {
  *stream << known.program;
  for (const std::string& word : known.arguments) *stream << " " << word;
}

class Papers : public testing::TestWithParam<Known> {};

TEST_P(Papers, EachSequenceOnce) {
  const Known& known = GetParam();
  for (const char* const strategy : {"reachability", "dpor"}) {
    SCOPED_TRACE(strategy);
    const Checked checked =
        check_totals(PAPERS "/" + known.program, {"--strategy", strategy, "--keep-going"}, known.arguments);
    EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
    EXPECT_EQ(checked.executions(), known.sequences);
    EXPECT_EQ(checked.distinct(), known.sequences);
    EXPECT_EQ(checked.summary.value("deadlocks", 0UL), known.deadlocks);
    EXPECT_LE(checked.summary.value("partial_runs", 1UL), known.partial_runs);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Published, Papers,
    testing::Values(Known{"figure_1", {}, 4}, Known{"bounded_buffer_select", {}, 144},
                    Known{"bounded_buffer_semaphore", {}, 324}, Known{"bounded_buffer_monitor_su", {}, 720},
                    Known{"bounded_buffer_monitor_sc", {}, 12'096}, Known{"readers_writers_select", {}, 768},
                    Known{"readers_writers_semaphore", {}, 21'744}, Known{"readers_writers_monitor_su", {}, 13'320},
                    Known{"readers_writers_monitor_sc", {}, 61'716}, Known{"dining_philosophers_monitor_su", {"3"}, 30},
                    Known{"dining_philosophers_monitor_su", {"4"}, 624},
                    Known{"dining_philosophers_monitor_su", {"5"}, 19'330},
                    Known{"dining_philosophers_semaphore", {"9"}, 511, 1},
                    Known{"dining_philosophers_semaphore", {"6", "reversed"}, 62},
                    Known{"distributed_mutual_exclusion", {}, 4'032}, Known{"distributed_spanning_tree", {}, 25'200},
                    Known{"distributed_spanning_tree", {"4", "0-1", "0-2", "0-3", "2-3"}, 30},
                    Known{"token_mutual_exclusion", {}, 24}));

// Everybody does it again: counted by brute force over all prefixes.
INSTANTIATE_TEST_SUITE_P(Repeated, Papers,
                         testing::Values(Known{"bounded_buffer_select", {"2", "2", "1", "2"}, 36},
                                         Known{"bounded_buffer_semaphore", {"2", "2", "1", "2"}, 36},
                                         Known{"bounded_buffer_monitor_su", {"2", "2", "1", "2"}, 1'800},
                                         Known{"bounded_buffer_monitor_sc", {"1", "1", "1", "3"}, 32},
                                         Known{"bounded_buffer_monitor_sc", {"2", "1", "1", "2"}, 480, 480},
                                         Known{"readers_writers_select", {"1", "1", "2"}, 6},
                                         Known{"readers_writers_semaphore", {"1", "1", "2"}, 28},
                                         Known{"readers_writers_monitor_su", {"1", "1", "2"}, 28},
                                         Known{"readers_writers_monitor_sc", {"1", "1", "2"}, 40},
                                         Known{"dining_philosophers_monitor_su", {"3", "2"}, 2'877},
                                         Known{"dining_philosophers_semaphore", {"2", "2"}, 11, 5},
                                         Known{"dining_philosophers_semaphore", {"3", "reversed", "2"}, 90, 0, 3},
                                         Known{"distributed_mutual_exclusion", {"2", "2"}, 58}));

// Formulas: (nk)!/(k!)^n, 2^n; and by hand.
INSTANTIATE_TEST_SUITE_P(Small, Papers,
                         testing::Values(Known{"lock_counts", {"2", "3"}, 20}, Known{"lock_counts", {"3", "2"}, 90},
                                         Known{"port_counts", {"2", "3"}, 20}, Known{"port_counts", {"4", "1"}, 24},
                                         Known{"semaphore_counts", {"2", "counting"}, 8},
                                         Known{"semaphore_counts", {"3", "counting"}, 180},
                                         Known{"semaphore_counts", {"2", "binary"}, 4},
                                         Known{"semaphore_counts", {"3", "binary"}, 36},
                                         Known{"shared_counts", {"4"}, 16}, Known{"shared_counts", {"pairs", "3"}, 8}));

// As exhaustive exploration counts them: more producers than the buffer and the consumers have room for.
INSTANTIATE_TEST_SUITE_P(OtherSizes, Papers,
                         testing::Values(Known{"bounded_buffer_select", {"3", "1", "1"}, 6, 6},
                                         Known{"bounded_buffer_monitor_sc", {"2", "2", "1"}, 80},
                                         Known{"bounded_buffer_monitor_su", {"3", "1", "1"}, 24, 24},
                                         Known{"distributed_dining_philosophers", {"2"}, 31}));

}  // namespace
}  // namespace norn::test
