// std::shared_mutex and std::shared_timed_mutex. No preference of readers or writers is assumed.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> shared_mutex_cases = {
    // Three acquisitions: 3! orders. Both readers before the writer 2, both after 2, one before and one after 1 each.
    // Readers commute: each is before or after the writer, which makes 2^2 behaviours.
    {"shared_mutex",
     "readers_and_writer",
     {{"ok", "0 0\n", 2}, {"ok", "0 1\n", 1}, {"ok", "1 0\n", 1}, {"ok", "1 1\n", 2}},
     4},
    // Lock, ++ and -- in two threads that do not exclude each other: 6! / (3! 3!) = 20. They miss each other if one's
    // -- comes before the other's ++: all three of the first, with the lock of the second in one of 4 places; twice.
    {"shared_mutex", "readers_inside", {{"ok", "1\n", 8}, {"ok", "2\n", 12}}},
    {"shared_mutex", "writers_inside", {{"ok", "1\n", 2}}, 2},
    // As try_lock of a mutex: L U E against T (U) E; see mutex_test.cpp.
    {"shared_mutex", "try_read_while_written", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"shared_mutex", "try_write_while_read", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"shared_mutex", "timed_read_while_written", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"shared_mutex", "timed_write_while_read", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    // Readers do not wait for each other: L U E and T U E in any order, 6! / (3! 3!).
    {"shared_mutex", "try_read_while_read", {{"ok", "got\n", 20}}},
    // Who reads cannot begin to write: it waits for itself.
    {"shared_mutex", "upgrade", {{"deadlock", "", 1}}},
};

INSTANTIATE_TEST_SUITE_P(SharedMutex, Primitive, testing::ValuesIn(shared_mutex_cases), case_name);

TEST(SharedMutex, SameRunsInAllWays) { expect_same_runs_in_all_ways(shared_mutex_cases); }
TEST(SharedMutex, SameOutcomesWithClang) { expect_same_outcomes_with_clang(shared_mutex_cases); }

}  // namespace
}  // namespace norn::test
