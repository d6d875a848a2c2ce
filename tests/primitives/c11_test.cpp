// C11 threads. The counts are those of the POSIX counterparts.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> c11_cases = {
    {"c11", "results", {{"ok", "26\n", 1}}, 1},
    {"c11", "lock", {{"ok", "3\n", 2}}, 2},
    {"c11", "recursive", {{"ok", "1\n", 1}}},
    {"c11", "trylock", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"c11", "timedlock", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"c11", "wait", {{"ok", "ready\n", 3}}},
    {"c11", "timedwait", {{"ok", "ready\n", 7}, {"ok", "timeout\n", 1}}},
    {"c11", "only_once", {{"ok", "1\n", 2}}, 2},
    {"c11", "storage", {{"ok", "11 3 0\n", 2}}, 2, races_ignored},
    // Yielding and sleeping are no operations: one addition in each thread.
    {"c11", "yield_and_sleep", {{"ok", "3\n", 2}}, 2},
};

INSTANTIATE_TEST_SUITE_P(C11, Primitive, testing::ValuesIn(c11_cases), case_name);

TEST(C11, SameRunsInAllWays) { expect_same_runs_in_all_ways(c11_cases); }
TEST(C11, SameOutcomesWithClang) { expect_same_outcomes_with_clang(c11_cases); }

}  // namespace
}  // namespace norn::test
