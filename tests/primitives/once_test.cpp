// std::call_once and function-local statics. Asking whether it is done (O) waits while another is at it.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> once_cases = {
    {"once", "simple", {{"ok", "1\n", 2}}, 2},
    // O and two operations inside, during which the other cannot get in. Then one reads, and the other asks and reads:
    // 3 orders. Twice, for either can be first.
    {"once", "visible_inside", {{"ok", "0 early\n", 6}}, some, races_ignored},
    // The attempt that succeeds sees what the failed one has written.
    {"once", "throws_first", {{"ok", "2 attempts, thrown in a\n", 1}, {"ok", "2 attempts, thrown in b\n", 1}}},
    // A static is guarded by a load (G) and, if it is not ready, O; that it is ready is a store (F). The other's G
    // comes at one of 4 places around G O F, and then its O, after F, unless its G finds it ready. Twice, for either
    // can be first.
    {"once", "local_static", {{"ok", "1\n", 8}}},
    // The first O throws, and F says that it did, so that the other constructs it: its G at one of 4 places, O after F.
    {"once", "static_throws", {{"ok", "2 attempts, thrown in a\n", 4}, {"ok", "2 attempts, thrown in b\n", 4}}},
    // The constructor has one operation (A): the other's G at one of 5 places around G O A F. Twice.
    {"once", "static_waits", {{"ok", "2\n", 10}}, some, races_ignored},
};

INSTANTIATE_TEST_SUITE_P(Once, Primitive, testing::ValuesIn(once_cases), case_name);

TEST(Once, SameRunsInAllWays) { expect_same_runs_in_all_ways(once_cases); }
TEST(Once, SameOutcomesWithClang) { expect_same_outcomes_with_clang(once_cases); }

}  // namespace
}  // namespace norn::test
