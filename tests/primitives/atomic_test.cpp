// std::atomic and its relatives. Every operation on an atomic is one visible operation, of whatever size it is.

#include "exploration.hpp"

namespace norn::test {
namespace {

const std::vector<Case> atomic_cases = {
// a: store 1, load; b: store 2. The store of b comes last, in between, or first.
#define RACE {{"ok", "saw 1, left 2\n", 1}, {"ok", "saw 2, left 2\n", 1}, {"ok", "saw 1, left 1\n", 1}}, 3
    {"atomic", "size_1", RACE},
    {"atomic", "size_2", RACE},
    {"atomic", "size_3", RACE},
    {"atomic", "size_4", RACE},
    {"atomic", "size_8", RACE},
    {"atomic", "size_16", RACE},
    {"atomic", "size_24", RACE},
    {"atomic", "float", RACE},
#undef RACE
    // Nine operations and the load of another thread in one of 10 places. 1 +2 -1 |12 &7 ^5 =40, a failing and a
    // succeeding compare_exchange, ++. The failing one only reads, so that it commutes with the load: 9 behaviours.
    {"atomic", "updates_1", {{"ok", "1 3 2 14 6 3 0 1 51 51\n", 10}}, 9},
    {"atomic", "updates_2", {{"ok", "1 3 2 14 6 3 0 1 51 51\n", 10}}, 9},
    {"atomic", "updates_4", {{"ok", "1 3 2 14 6 3 0 1 51 51\n", 10}}, 9},
    {"atomic", "updates_8", {{"ok", "1 3 2 14 6 3 0 1 51 51\n", 10}}, 9},
    // Three operations, of which the first compare_exchange fails, and a load.
    {"atomic", "updates_16", {{"ok", "12 01 78\n", 4}}, 3},
    // Seven operations and a load.
    {"atomic", "builtins", {{"ok", "7\n", 8}}, 8},
    // Two additions and a store of 0 that comes last, in between, or first.
    {"atomic", "race_of_wide", {{"ok", "0 1 0\n", 1}, {"ok", "0 0 1\n", 1}, {"ok", "0 1 2\n", 1}}, 3},
    // Eight operations, of which the compare_exchange fails, and a load. 2^100 +3 -1 |12 &7 ^5, which takes away 2^100,
    // too, and ~(3 & 2).
    {"atomic", "builtins_wide", {{"ok", "1:0 1:2 1:14 1:6 1:6 -1:-3 -1:-3 -3\n", 9}}, 8},
    {"atomic", "pointers", {{"ok", "11\n", 2}}, 2},
    {"atomic", "compare_exchange_race", {{"ok", "1\n", 1}, {"ok", "2\n", 1}}},
    // A load and a compare_exchange (C) that is repeated if another got in between. One after the other: 1. Both load
    // first: C of either, then the other fails and repeats: 2. The same with the threads exchanged: 6. Behaviours:
    // the loads commute, so which came first of the two does not matter.
    {"atomic", "double_add", {{"ok", "-0.5\n", 6}}, 4},
    {"atomic", "float_add", {{"ok", "-0.5\n", 6}}, 4},
    // Two and two operations: 6 orders. Nobody sees y without x, fences or not.
    {"atomic", "message_passing", {{"ok", "y 1 x 1\n", 1}, {"ok", "y 0 x 1\n", 4}, {"ok", "y 0 x 0\n", 1}}},
    // Sequential consistency: not both can read 0.
    {"atomic", "store_buffering", {{"ok", "x 1 y 0\n", 1}, {"ok", "x 0 y 1\n", 1}, {"ok", "x 1 y 1\n", 4}}, 3},
    {"atomic", "independent", {{"ok", "", 2}}, 1},
    // One writer and two readers: 2^2 behaviours.
    {"atomic", "readers", {{"ok", "", 6}}, 4},
    {"atomic", "flag", {{"ok", "1 10\n", 2}, {"ok", "2 10\n", 2}, {"ok", "3 10\n", 2}}, 6},
    {"atomic", "reference", {{"ok", "2\n", 2}}, 2},
    // The waiter looks (W) and, when the value is another, loads it (L); the other stores (S) and notifies (N).
    // W S N L, or S with W L and N in 3 orders.
    {"atomic", "wait_1", {{"ok", "1\n", 4}}},
    {"atomic", "wait_4", {{"ok", "1\n", 4}}},
    {"atomic", "wait_8", {{"ok", "1\n", 4}}},
    {"atomic", "waiting_flag", {{"ok", "set\n", 4}}},
    // W S: it sleeps for ever. S W: it does not sleep.
    {"atomic", "waiting_in_vain", {{"ok", "woken\n", 1}, {"deadlock", "", 1}}},
    // After having waited, each counts (C). Both W after S: N, W L C and W L C make 7! / (3! 3!) = 140. One sleeps
    // before S: N L C and W L C make 20; twice. Both sleep: in 2 orders, N wakes one of 2, the other never.
    {"atomic", "wake_one_of_two", {{"ok", "12\n", 90}, {"ok", "21\n", 90}, {"deadlock", "", 4}}},
    // Both W after S: N, W L and W L make 30. One sleeps: N L and W L make 6; twice. Both sleep: 2 orders, S N, 2
    // orders.
    {"atomic", "wake_all", {{"ok", "both\n", 46}}},
    // The C++ library waits for the pointer by spinning; how often it looks is no behaviour.
    {"atomic", "shared_pointer", {{"ok", "saw 1, left 2\n"}, {"ok", "saw 2, left 2\n"}}},
    {"atomic", "shared_pointer_alone", {{"ok", "1 0 2 2\n", 1}}, 1},
};

INSTANTIATE_TEST_SUITE_P(Atomic, Primitive, testing::ValuesIn(atomic_cases), case_name);

TEST(Atomic, SameRunsInAllWays) { expect_same_runs_in_all_ways(atomic_cases); }
TEST(Atomic, SameOutcomesWithClang) { expect_same_outcomes_with_clang(atomic_cases); }

/// As a user would do it: from the source, with the library that atomics of odd sizes need.
TEST(Atomic, LinkedByTheUser) {
  const Checked checked = check(std::string(PRIMITIVE_SOURCES) + "/atomic.cpp",
                                {"--strategy", "exhaustive", "--ldflags", "-latomic"}, {"size_24"});
  EXPECT_EQ(checked.verdict(), "pass") << checked.finished.error;
  EXPECT_EQ(checked.executions(), 3);
}

}  // namespace
}  // namespace norn::test
