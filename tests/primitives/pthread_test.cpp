// POSIX threads, from C.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> pthread_cases = {
    {"pthread", "results", {{"ok", "10 15\n", 1}}, 1},
    // Two threads with one operation each; the main thread loads (L) and ends (X). Before X came none of the two (1
    // run), one (2 threads, L before or after it), or both (2 orders, L in 3 places). L sees what came before it.
    {"pthread", "detach", {{"ok", "0\n", 5}, {"ok", "1\n", 4}, {"ok", "2\n", 2}}},
    {"pthread", "main_exits", {{"ok", "main thread goodbye\n", 1}}, 1},
    // Every thread of every run begins with what is usual.
    {"pthread", "cancel_state", {{"ok", "1 1\n", 2}}, 2},
    {"pthread", "own_stack", {{"ok", "11\n", 1}}, 1},
    {"pthread", "join_twice", {{"misuse", "", 1}}},
    // The attempt to join comes before the thread's operation, between it and the thread's end, or after.
    {"pthread", "try_join", {{"ok", "busy\n", 2}, {"ok", "joined\n", 1}}},
    {"pthread", "normal", {{"ok", "3\n", 2}}, 2},
    {"pthread", "normal_relock", {{"deadlock", "", 1}}},
    {"pthread", "recursive", {{"ok", "0 1\n", 1}}},
    {"pthread", "errorcheck", {{"ok", "1 1\n", 1}}},
    {"pthread", "errorcheck_trylock", {{"ok", "1\n", 1}}},
    // Whoever locks after the thread that died holding it is told so.
    {"pthread", "robust", {{"ok", "inherited, then free\n", 1}, {"ok", "first, then inherited\n", 1}}, 2},
    {"pthread", "not_recoverable", {{"ok", "1 1\n", 1}}},
    {"pthread", "robust_not_owner", {{"ok", "1\n", 1}}},
    // Not robust: nobody can ever lock it again.
    {"pthread", "orphaned", {{"misuse", "", 2}}},
    // L U E against T (U) E; see mutex_test.cpp.
    {"pthread", "trylock", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"pthread", "timedlock", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"pthread", "rwlock_try", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"pthread", "rwlock_timed", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"pthread", "spin_trylock", {{"ok", "busy\n", 3}, {"ok", "got\n", 8}}, 3},
    {"pthread", "not_held", {{"misuse", "", 1}}},
    {"pthread", "reader_writer", {{"ok", "0\n", 1}, {"ok", "1\n", 1}}},
    {"pthread", "rwlock_relock", {{"ok", "1 1\n", 1}}},
    {"pthread", "spinlock", {{"ok", "3\n", 2}}, 2},
    // The last to arrive is the serial thread.
    // Two orders of arrival, which make no difference: always the same thread is told that it is the one.
    {"pthread", "serial_thread", {{"ok", "1\n", 2}}, 1},
    // The same in each of two rounds.
    {"pthread", "two_rounds", {{"ok", "1\n", 4}}, 1},
    {"pthread", "barrier_alone", {{"deadlock", "", 1}}},
    {"pthread", "only_once", {{"ok", "1\n", 2}}, 2},
    // Values are destroyed at the end of their threads, which comes right after the only operation of each.
    {"pthread", "keys", {{"ok", "destroyed 1\ndestroyed 2\n1 1\n", 1}, {"ok", "destroyed 2\ndestroyed 1\n1 1\n", 1}}},
    {"pthread", "key_of_main", {{"ok", "main\n", 1}}},

    // Counted as wait_for in condition_test.cpp, whatever the clock.
    {"pthread_waiting", "timedwait", {{"ok", "ready\n", 7}, {"ok", "timeout\n", 1}}},
    {"pthread_waiting", "clockwait", {{"ok", "ready\n", 7}, {"ok", "timeout\n", 1}}},
    {"pthread_waiting", "monotonic_attribute", {{"ok", "ready\n", 7}, {"ok", "timeout\n", 1}}},
    // As everybody in condition_test.cpp.
    {"pthread_waiting", "broadcast", {{"ok", "ready\n", 16}}},
    // The signal is given under the mutex: the waiter locks first and waits, or locks last.
    {"pthread_waiting", "recursive_mutex", {{"ok", "1\n", 2}}},
    {"pthread_waiting", "without_mutex", {{"misuse", "", 1}}},
    // As semaphores of the C++ library.
    {"pthread_waiting", "pairs_1", {{"ok", "0\n", 1}}, 1},
    {"pthread_waiting", "pairs_2", {{"ok", "0\n", 8}}, 8},
    {"pthread_waiting", "pairs_3", {{"ok", "0\n", 180}}, 180},
    {"pthread_waiting", "sem_try", {{"ok", "got\n", 1}, {"ok", "empty\n", 1}}},
    {"pthread_waiting", "sem_timed", {{"ok", "got\n", 1}, {"ok", "timeout\n", 1}}},
    {"pthread_waiting", "sem_clock", {{"ok", "got\n", 1}, {"ok", "timeout\n", 1}}},
};

INSTANTIATE_TEST_SUITE_P(Pthread, Primitive, testing::ValuesIn(pthread_cases), case_name);

TEST(Pthread, SameRunsInAllWays) { expect_same_runs_in_all_ways(pthread_cases); }
TEST(Pthread, SameOutcomesWithClang) { expect_same_outcomes_with_clang(pthread_cases); }

}  // namespace
}  // namespace norn::test
