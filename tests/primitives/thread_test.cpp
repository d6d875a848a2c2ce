// std::thread and std::jthread. Creating, starting, ending and joining threads are no choices.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> thread_cases = {
    // One operation in each of three threads: 3! orders.
    {"thread", "three", {{"ok", "3\n", 6}}, 6},
    // Nothing visible happens at all.
    {"thread", "arguments", {{"ok", "seven 7 1 0\n", 1}}, 1},
    {"thread", "ids", {{"ok", "1 0\n", 1}}, 1},
    // The first operation comes before the inner thread exists; then one operation in each: 2 orders.
    {"thread", "nested", {{"ok", "inner 2 outer 3\n", 1}, {"ok", "inner 3 outer 2\n", 1}}, 2},
    // The process ends before, between or after the two stores of the thread that nobody waits for.
    {"thread", "detached", {{"ok", "", 1}, {"ok", "one\n", 1}, {"ok", "one\ntwo\n", 1}}, 3},
    // As the C++ standard has it, which POSIX does not.
    {"thread", "joins_itself", {{"ok", "1\n"}}},
    // The reference count of the stop state makes more interleavings, but no more outcomes.
    {"thread", "jthread_joins", {{"ok", "2\n"}}},
    {"thread", "jthread_stop", {{"ok", "running\n"}, {"ok", "stopped\n"}}},
    {"thread", "stop_callback", {{"ok", "1 0\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Thread, Primitive, testing::ValuesIn(thread_cases), case_name);

TEST(Thread, SameRunsInAllWays) { expect_same_runs_in_all_ways(thread_cases); }
TEST(Thread, SameOutcomesWithClang) { expect_same_outcomes_with_clang(thread_cases); }

}  // namespace
}  // namespace norn::test
