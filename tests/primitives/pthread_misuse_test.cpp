// What POSIX calls undefined, and the errors that it defines instead.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> pthread_misuse_cases = {
    {"pthread_misuse", "destroyed_mutex", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_mutex_tried", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_mutex_twice", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_condition", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_condition_wait", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_rwlock", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_spinlock", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_semaphore", {{"misuse", "", 1}}},
    {"pthread_misuse", "destroyed_barrier", {{"misuse", "", 1}}},
    {"pthread_misuse", "reborn", {{"ok", "reborn\n", 1}}, 1},
    {"pthread_misuse", "never_a_mutex", {{"misuse", "", 1}}},
    {"pthread_misuse", "never_a_semaphore", {{"misuse", "", 1}}},
    {"pthread_misuse", "never_a_barrier", {{"misuse", "", 1}}},
    {"pthread_misuse", "never_a_thread", {{"misuse", "", 1}}},
    {"pthread_misuse", "no_time", {{"ok", "1111111\n", 1}}, 1},
    {"pthread_misuse", "no_clock", {{"ok", "11111111\n", 1}}, 1},
    {"pthread_misuse", "no_time_to_wait", {{"ok", "1\n", 1}}, 1},
    {"pthread_misuse", "wait_without_mutex", {{"ok", "1\n", 1}}, 1},
    // Whoever waits first keeps the mutex for ever.
    {"pthread_misuse", "recursive_wait", {{"ok", "", 1}, {"deadlock", "", 1}}, 2},
    {"pthread_misuse", "inherited_data", {{"ok", "0\n", 1}, {"ok", "1\n", 1}}, 2},
    {"pthread_misuse", "self_joined", {{"misuse", "", 1}}},
    {"pthread_misuse", "detached_while_joined", {{"misuse", "", 1}}},
    {"pthread_misuse", "joined_by_two", {{"misuse", "", 1}}},
    {"pthread_misuse", "gone_key_set", {{"misuse", "", 1}}},
    {"pthread_misuse", "gone_key_read", {{"misuse", "", 1}}},
    {"pthread_misuse", "gone_key_deleted", {{"misuse", "", 1}}},
    {"pthread_misuse", "gone_key_of_c11", {{"misuse", "", 1}}},
    {"pthread_misuse", "never_a_key", {{"misuse", "", 1}}},
    {"pthread_misuse", "key_beyond_all", {{"misuse", "", 1}}},
};

INSTANTIATE_TEST_SUITE_P(PthreadMisuse, Primitive, testing::ValuesIn(pthread_misuse_cases), case_name);

TEST(PthreadMisuse, SameRunsInAllWays) { expect_same_runs_in_all_ways(pthread_misuse_cases); }
TEST(PthreadMisuse, SameOutcomesWithClang) { expect_same_outcomes_with_clang(pthread_misuse_cases); }

}  // namespace
}  // namespace norn::test
