// std::mutex and its relatives. Releasing is no choice until somebody can see that a lock is held (try_lock).

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> mutex_cases = {
    // n threads that lock k times: (nk)! / (k!)^n orders of the acquisitions, all of them different behaviours.
    {"mutex", "acquire_1_1", {{"ok", "1\n", 1}}, 1},
    {"mutex", "acquire_3_1", {{"ok", "3\n", 6}}, 6},
    {"mutex", "acquire_2_2", {{"ok", "4\n", 6}}, 6},
    {"mutex", "acquire_2_3", {{"ok", "6\n", 20}}, 20},
    {"mutex", "acquire_3_2", {{"ok", "6\n", 90}}, 90},
    {"mutex", "acquire_4_2", {{"ok", "8\n", 2520}}, 2520},
    {"mutex", "order", {{"ok", "ab\n", 1}, {"ok", "ba\n", 1}}, 2},
    // With try_lock, unlocking (U) and the end of a thread (E) are visible. Holder: L U E; contender: T, U if it got
    // the lock, E. T between L and U fails, and its E is before, between or after U and E: 3 runs. T before L: T U
    // come first, as L has to wait, and E is anywhere among L U E: 4 runs. T after U: E of the holder is anywhere
    // among T U E: 4 runs. Behaviours: T before, between and after.
    {"mutex", "try_lock", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    // A timed lock gives up only while the lock is held, so it is counted in the same way.
    {"mutex", "try_lock_for", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"mutex", "try_lock_until", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    // Whoever comes first takes the lock twice before the other can take it at all.
    {"mutex", "nested_twice", {{"ok", "2\n", 2}}, 2},
    {"mutex", "recursive_try", {{"ok", "1 1\n", 1}}, 1},
    {"mutex", "both", {{"ok", "2\n"}}},
    // a: A B, b: B A. After a's first lock either it goes on (and then b does both), or b takes B and both wait.
    {"mutex", "deadlock", {{"ok", "", 2}, {"deadlock", "", 2}}},
    {"mutex", "self_deadlock", {{"deadlock", "", 1}}},
    {"mutex", "not_owner", {{"misuse", "", 1}}},
};

INSTANTIATE_TEST_SUITE_P(Mutex, Primitive, testing::ValuesIn(mutex_cases), case_name);

TEST(Mutex, SameRunsInAllWays) { expect_same_runs_in_all_ways(mutex_cases); }
TEST(Mutex, SameOutcomesWithClang) { expect_same_outcomes_with_clang(mutex_cases); }

/// std::scoped_lock lets go and begins anew when it does not get both; two that meet may do so for ever.
TEST(Mutex, BothInOppositeOrder) { expect_in_samples({"mutex", "both_crossed", {{"ok", "2\n"}}}); }

}  // namespace
}  // namespace norn::test
