// std::condition_variable and std::condition_variable_any. A wait is W (gives the mutex back) and, once woken, R (takes
// it again); the waiter locks with L. The other thread locks with M, sets the flag, and notifies with N.

#include "exploration.hpp"

namespace norn::test {
namespace {

const std::vector<Case> condition_cases = {
    // M before L: the waiter does not wait, N is before or after L: 2. L first: L W M N R is the only way: 1.
    {"condition", "flag", {{"ok", "ready\n", 3}}},
    // Two waiters. Both L after M: L, L and N in any order: 6. One before: L W M, then N R and the other L: 3, twice.
    // Both before: L W L W in 2 orders, M N, R R in 2 orders: 4.
    {"condition", "everybody", {{"ok", "ready\n", 16}}},
    // Everybody notifies one after having gone on. Nobody waited: N, L N', L N' make 5! / (2! 2!) = 30, half of it in
    // each order. Only a waited: L W M; if it goes on first, N R come next and N' is among the other's L N': 3; if the
    // other's L comes first, R needs N or the other's N': N L, L N and L N' begin 3 runs each: 9. Likewise b. Both
    // waited (in 2 orders): each can be the one that is woken, and wakes the other: 1 each.
    {"condition",
     "one_by_one",
     {{"ok", "AB\n", 15},
      {"ok", "BA\n", 15},
      {"ok", "aAB\n", 3},
      {"ok", "aBA\n", 9},
      {"ok", "bBA\n", 3},
      {"ok", "bAB\n", 9},
      {"ok", "abAB\n", 1},
      {"ok", "abBA\n", 1},
      {"ok", "baAB\n", 1},
      {"ok", "baBA\n", 1}}},
    // The notification comes before L, between L and W, or when it is waited for.
    {"condition", "lost_wakeup", {{"ok", "woken\n", 1}, {"deadlock", "", 2}}},
    // M before L: 2 runs as above. L W first, then the time runs out (X) before M: X R, too late: 1; X M, then R and N
    // in 2 orders: 2. Or M comes first: X, then R and N: 2; or N R: 1.
    {"condition", "wait_for", {{"ok", "ready\n", 7}, {"ok", "timeout\n", 1}}},
    {"condition", "timeout_takes_time", {{"ok", "1 1\n", 1}}},
    // As flag: the mutex is given back before the notification.
    {"condition", "at_thread_exit", {{"ok", "ready\n", 3}}},
    {"condition", "any_flag", {{"ok", "ready\n"}}},
    {"condition", "any_shared", {{"ok", "ready\n"}}},
    {"condition", "any_wait_for", {{"ok", "ready\n"}, {"ok", "timeout\n"}}},
    {"condition", "trusting", {{"ok", "ready\n", 3}}},
};

INSTANTIATE_TEST_SUITE_P(Condition, Primitive, testing::ValuesIn(condition_cases), case_name);

TEST(Condition, SameRunsInAllWays) { expect_same_runs_in_all_ways(condition_cases); }
TEST(Condition, SameOutcomesWithClang) { expect_same_outcomes_with_clang(condition_cases); }

/// The first that waits is the first that is woken: of both waiting, only the orders of arrival are left.
TEST(Condition, FirstComeFirstServed) {
  const Checked checked = explore({"condition", "one_by_one", {}}, {"--wakeup", "fifo"});
  EXPECT_EQ(checked.executions(), 56);
  EXPECT_EQ(checked.outcomes.count({"ok", "abBA\n"}), 0);
  EXPECT_EQ(checked.outcomes.count({"ok", "baAB\n"}), 0);
  EXPECT_EQ(checked.outcomes.size(), 8);
}

TEST(Condition, StoppedWhileWaiting) { expect_in_samples({"condition", "any_stopped", {{"ok", "stopped\n"}}}); }

/// Besides the 3 runs of `flag`: L W, then a wake-up without a signal (S). S R before M: the waiter trusted it. S M:
/// then R and N in 2 orders. M S: then R and N in 2 orders. Of these 5, one is wrong.
TEST(Condition, SpuriousWakeUps) {
  const Checked checked = explore({"condition", "trusting", {}}, {"--spurious", "1"});
  const decltype(checked.outcomes) expected{{{"ok", "ready\n"}, 7}, {{"ok", "spurious\n"}, 1}};
  EXPECT_EQ(checked.outcomes, expected);
}

}  // namespace
}  // namespace norn::test
