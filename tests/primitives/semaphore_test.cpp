// Semaphores, latches and barriers of the C++ library.

#include "primitive.hpp"

namespace norn::test {
namespace {

const std::vector<Case> semaphore_cases = {
    // n releases and n acquisitions of a semaphore at 0: no acquisition may come before its release, which are the
    // Catalan numbers (1, 2, 5) of patterns, times n! n! for which thread is which: 1, 8, 180.
    {"semaphore", "pairs_1", {{"ok", "0\n", 1}}, 1},
    {"semaphore", "pairs_2", {{"ok", "0\n", 8}}, 8},
    {"semaphore", "pairs_3", {{"ok", "0\n", 180}}, 180},
    {"semaphore", "ping_pong", {{"ok", "ping pong ping pong \n", 1}}, 1},
    {"semaphore", "as_mutex", {{"ok", "2\n", 2}}, 2},
    // One release of two, then two acquisitions in either order.
    {"semaphore", "release_two", {{"ok", "ab\n", 1}, {"ok", "ba\n", 1}}, 2, races_ignored},
    // The attempt comes before or after the release; one with a time limit expires only if there is nothing.
    {"semaphore", "try_acquire", {{"ok", "got\n", 1}, {"ok", "empty\n", 1}}, 2},
    {"semaphore", "try_acquire_for", {{"ok", "got\n", 1}, {"ok", "empty\n", 1}}, 2},
    {"semaphore", "try_acquire_until", {{"ok", "got\n", 1}, {"ok", "empty\n", 1}}, 2},
    // Two want one: either of them waits for ever.
    {"semaphore", "too_few", {{"deadlock", "", 2}}, 2},
    // Counting down to zero is C, then it opens (O) and notifies (N). Waiting is W, and a load L once it is open.
    // W before or after C, and before O: it sleeps until N: 2 runs. W after O: W L and N in 3 orders.
    {"semaphore", "latch_wait", {{"ok", "1\n", 5}}},
    // Whoever comes second opens the latch.
    {"semaphore", "latch_count_down", {{"ok", "1\n", 2}}, 2},
    // Whoever comes first waits as in latch_wait, the other opens: 5 runs, twice.
    {"semaphore", "latch_together", {{"ok", "3 3\n", 10}}},
    // Two orders of arrival, and so two threads that complete the phase.
    {"semaphore", "barrier_once", {{"ok", "complete done\n", 2}}, 2},
    {"semaphore", "barrier_phases", {{"ok", "2 phases, 0 wrong\n"}}, some, races_ignored},
    // Not everybody meets every time, so the order matters. Who arrives (A) last completes the phase, prepares the next
    // (P), publishes the end of this one (E) and notifies (N). a arrives first and has nothing more to do: 1 run. b
    // first: it waits (W, L) before a's A, P or E: 3 runs, in which it is alone after N. Or after E: W L, and alone in
    // the next phase A P E N W L: 8 operations, and a's N in one of 9 places.
    {"semaphore", "barrier_drop", {{"ok", "2\n", 13}}},
};

INSTANTIATE_TEST_SUITE_P(Semaphore, Primitive, testing::ValuesIn(semaphore_cases), case_name);

TEST(Semaphore, SameRunsInAllWays) { expect_same_runs_in_all_ways(semaphore_cases); }
TEST(Semaphore, SameOutcomesWithClang) { expect_same_outcomes_with_clang(semaphore_cases); }

}  // namespace
}  // namespace norn::test
