// Futures. What the C++ library does inside (reference counts, futexes, once) makes many interleavings; what a program
// can see of them is little.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> future_cases = {
    {"future", "async", {{"ok", "42\n"}}},
    {"future", "deferred", {{"ok", "1 0 1\n", 1}}, 1},
    {"future", "two_asyncs", {{"ok", "1 2\n"}, {"ok", "2 1\n"}}},
    {"future", "promise", {{"ok", "42\n"}}},
    {"future", "exception", {{"ok", "thrown there\n"}}},
    {"future", "broken_promise", {{"ok", "1\n"}}},
    {"future", "shared_future", {{"ok", "7 7\n"}}},
    {"future", "packaged_task", {{"ok", "2\n"}}},
    {"future", "wait_for", {{"ok", "ready\n"}, {"ok", "timeout\n"}}},
    {"future", "at_thread_exit", {{"ok", "0 42\n"}, {"ok", "1 42\n"}}},
    {"future", "nobody_waits", {{"ok", ""}}},
    {"future", "never_set", {{"deadlock", "", 1}}},
};

INSTANTIATE_TEST_SUITE_P(Future, Primitive, testing::ValuesIn(future_cases), case_name);

TEST(Future, SameRunsInAllWays) { expect_same_runs_in_all_ways(future_cases); }
TEST(Future, SameOutcomesWithClang) { expect_same_outcomes_with_clang(future_cases); }

}  // namespace
}  // namespace norn::test
