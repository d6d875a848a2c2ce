// The strategy dpor runs every behaviour once: the numbers of behaviours are known.

#include <gtest/gtest.h>

#include "totals.hpp"

namespace norn::test {
namespace {

struct Known {
  std::vector<std::string> arguments;
  unsigned long executions;
  unsigned long deadlocks = 0;
  bool waits = false;  ///< in loops, or for several locks: some runs are given up
};

void PrintTo(const Known& known, std::ostream* stream) {
  for (const std::string& word : known.arguments) *stream << word << " ";
}

class KnownCounts : public testing::TestWithParam<Known> {};

TEST_P(KnownCounts, EachBehaviourOnce) {
  const Known& known = GetParam();
  const Checked checked = check_totals(KNOWN_COUNTS, {"--strategy", "dpor", "--keep-going"}, known.arguments);
  EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
  EXPECT_EQ(checked.executions(), known.executions);
  EXPECT_EQ(checked.distinct(), known.executions);
  EXPECT_EQ(checked.summary.value("deadlocks", 0UL), known.deadlocks);
  EXPECT_TRUE(known.waits || checked.summary.value("partial_runs", 1UL) == 0);
}

/// A round in vain that was seen once is not run again, wherever a thread comes to the same place by another way.
TEST(Loops, CostFewRuns) {
  struct Loop {
    const char* program;
    std::vector<std::string> arguments;
    long executions;
    unsigned long most_partial_runs;
  };
  for (const Loop& loop :
       {Loop{KNOWN_COUNTS, {"spin_lock", "5"}, 120, 0}, Loop{KNOWN_COUNTS, {"ticket_lock", "5"}, 120, 30},
        Loop{KNOWN_COUNTS, {"token_ring", "5", "20"}, 1, 0}, Loop{MUTUAL_EXCLUSION, {"peterson", "3", "3"}, 588, 15},
        Loop{MUTUAL_EXCLUSION, {"szymanski", "2", "2"}, 3713, 40},
        Loop{MUTUAL_EXCLUSION, {"bakery", "2", "2"}, 812, 40}}) {
    const Checked checked = check_totals(loop.program, {"--strategy", "dpor"}, loop.arguments);
    EXPECT_EQ(checked.executions(), loop.executions) << loop.arguments.front();
    EXPECT_LE(checked.summary.value("partial_runs", 1000UL), loop.most_partial_runs) << loop.arguments.front();
  }
}

/// Who takes something comes second or third, after one of those who give or the other.
TEST(Semaphores, CanBeGivenSeveral) {
  for (const char* strategy : {"dpor", "reachability", "exhaustive"})
    for (const char* seed : {"1", "2", "3"})
      EXPECT_EQ(check_totals(KNOWN_COUNTS, {"--strategy", strategy, "--seed", seed}, {"give_two", "0"}).distinct(), 4)
          << strategy << " with seed " << seed;
}

TEST(Loops, AreTheSameWhateverOthersDoOnTheStack) {
  for (const char* strategy : {"dpor", "exhaustive"})
    EXPECT_EQ(check_totals(KNOWN_COUNTS, {"--strategy", strategy}, {"mutex_beside_loop", "0"}).distinct(), 8)
        << strategy;
}

/// What is taken together is taken at once, unless somebody can see that it is not.
TEST(Locks, CanBeTakenTogether) {
  const auto explored = [](const char* strategy, const char* tries) {
    return check_totals(KNOWN_COUNTS, {"--strategy", strategy}, {"locks_in_common", tries});
  };
  const Checked dpor = explored("dpor", "0");
  EXPECT_TRUE(dpor.summary.value("complete", false));
  EXPECT_EQ(dpor.executions(), explored("exhaustive", "0").distinct());
  EXPECT_EQ(dpor.executions(), dpor.distinct());
  const Checked tried = explored("auto", "1");
  EXPECT_TRUE(tried.summary.value("complete", false));
  EXPECT_EQ(tried.distinct(), explored("exhaustive", "1").distinct());
  EXPECT_GT(tried.distinct(), dpor.distinct());
}

/// Whoever comes first, and whichever process does the runs. There is one behaviour in which the other thread is too
/// early. Otherwise somebody tries before it, while it has its first lock, or between its two attempts; in the first
/// two cases its first attempt may fail or not.
TEST(Locks, CanBeTriedBeforeTheyAreTakenTogether) {
  for (const char* shared : {"0", "1"}) {
    const Checked all = check_totals(KNOWN_COUNTS, {"--strategy", "exhaustive"}, {"locks_tried_early", shared});
    EXPECT_TRUE(all.summary.value("complete", false)) << all.finished.error;
    EXPECT_EQ(all.distinct(), 6);
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {}, {"--from-start"}, {"--jobs", "2", "--chaos", "1"}, {"--isolation", "fork"}, {"--threads", "os"}}) {
      std::vector<std::string> arguments = {"--strategy", "dpor"};
      arguments.insert(arguments.end(), options.begin(), options.end());
      const Checked checked = check_totals(KNOWN_COUNTS, arguments, {"locks_tried_early", shared});
      EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
      EXPECT_EQ(checked.executions(), 6) << testing::PrintToString(options);
      EXPECT_EQ(checked.distinct(), 6) << testing::PrintToString(options);
    }
  }
}

/// Threads take them in another order than they say only where nobody can see it.
TEST(Locks, ThatOneCannotHaveAreNotSeenInItsHands) {
  for (const char* strategy : {"dpor", "exhaustive", "reachability", "random"}) {
    const Checked checked =
        check_totals(KNOWN_COUNTS, {"--strategy", strategy, "--max-executions", "1000"}, {"locks_tried_in_vain", "0"});
    EXPECT_EQ(checked.first_bug(), "") << strategy;
    EXPECT_EQ(checked.distinct(), 1) << strategy;
  }
}

/// Who takes several is not stuck while it has some of them, if it could have all.
TEST(Locks, AreNotWaitedForByWhoHasAPart) {
  for (const char* strategy : {"dpor", "exhaustive", "random"}) {
    const Checked checked =
        check_totals(KNOWN_COUNTS, {"--strategy", strategy, "--keep-going"}, {"locks_in_steps", "0"});
    EXPECT_EQ(checked.summary.value("deadlocks", 1), 0) << strategy;
    EXPECT_EQ(checked.distinct(), 3) << strategy;
    EXPECT_EQ(checked.summary.value("complete", false), strategy != std::string_view("random"));
  }
  EXPECT_EQ(check_totals(KNOWN_COUNTS, {"--strategy", "dpor"}, {"locks_in_steps", "0"}).executions(), 3);
}

/// However many processes share the work: what they have found out by then makes no difference.
TEST(Locks, HaveTheSameBehavioursForSeveralProcesses) {
  for (int i = 0; i < 10; ++i) {
    const Checked checked =
        check_totals(KNOWN_COUNTS,
                     {"--strategy", "dpor", "--keep-going", "--jobs", "2", "--chaos", "1", "--seed", std::to_string(i)},
                     {"locks_in_circle", "0"});
    EXPECT_EQ(checked.executions(), 8) << checked.finished.error;
    EXPECT_EQ(checked.summary.value("deadlocks", 0), 2);
  }
}

/// As many as exhaustive tells apart: whoever calls first may have come before main, between or after what it does, and
/// so on.
TEST(Once, CanFailAgainAndAgain) {
  const auto explored = [](const char* strategy) {
    return check_totals(KNOWN_COUNTS, {"--strategy", strategy}, {"failing_once", "0"});
  };
  EXPECT_EQ(explored("exhaustive").distinct(), 8);
  EXPECT_EQ(explored("dpor").executions(), 8);
  EXPECT_EQ(explored("reachability").executions(), 8);
}

/// What later events know of an object says nothing of what was in its place before.
TEST(MadeAnew, IsAnotherObject) {
  for (const char* strategy : {"dpor", "reachability", "exhaustive"}) {
    const Checked checked = check_totals(KNOWN_COUNTS, {"--strategy", strategy}, {"made_anew", "2"});
    EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
    EXPECT_EQ(checked.distinct(), 9) << strategy;  // before, between or after both, in each round
  }
}

/// Every number of looks in vain is a behaviour of its own, until the thread has slept and counts anew. Where the first
/// sleep leaves something on the stack, that is once more.
TEST(Loops, ThatCountEnd) {
  for (const int looks : {10, 70, 300}) {
    const Checked checked =
        check_totals(KNOWN_COUNTS, {"--strategy", "dpor"}, {"counted_looks", std::to_string(looks)});
    EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
    EXPECT_GE(checked.executions(), looks + 1);
    EXPECT_LE(checked.executions(), 2 * looks + 1);
  }
}

/// There is no end of behaviours, but each of them has one: whoever looks again and again lets others move.
TEST(Loops, ThatNeverBeginAnewLetOthersMove) {
  for (const char* strategy : {"dpor", "reachability"}) {
    const Checked checked =
        check_totals(KNOWN_COUNTS, {"--strategy", strategy, "--max-executions", "200", "--max-steps", "20000"},
                     {"endless_looks", "0"});
    EXPECT_EQ(checked.executions(), 200) << strategy;
    EXPECT_EQ(checked.distinct(), 200) << strategy;
    EXPECT_EQ(checked.summary.value("reasons", std::vector<std::string>()),
              std::vector<std::string>{"stopped after 200 executions (--max-executions)"})
        << strategy;
  }
}

/// Name and rounds of an algorithm for mutual exclusion.
class Waiting : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Waiting, InLoopsIsCountedAsByExhaustive) {
  const Checked all = check_totals(MUTUAL_EXCLUSION, {"--strategy", "exhaustive"}, GetParam());
  const Checked once = check_totals(MUTUAL_EXCLUSION, {"--strategy", "dpor"}, GetParam());
  EXPECT_TRUE(all.summary.value("complete", false)) << all.finished.error;
  EXPECT_TRUE(once.summary.value("complete", false)) << once.finished.error;
  EXPECT_EQ(once.executions(), all.distinct());
  EXPECT_EQ(once.executions(), once.distinct());
}

INSTANTIATE_TEST_SUITE_P(MutualExclusion, Waiting,
                         testing::ValuesIn(std::vector<std::vector<std::string>>{{"peterson", "1", "1"},
                                                                                 {"peterson", "2", "2"},
                                                                                 {"remembering_peterson", "2", "1"},
                                                                                 {"dekker", "2", "1"},
                                                                                 {"szymanski", "2", "1"},
                                                                                 {"bakery", "2", "1"}}));

/// Compilers leave other things in registers and on the stack, which nobody looks at again.
class CompiledInAnyWay : public testing::TestWithParam<std::string> {};

TEST_P(CompiledInAnyWay, PetersonsAlgorithmHasTheSameBehaviours) {
  for (const std::string form : {"peterson", "peterson_object", "peterson_captures"}) {
    for (const auto& [rounds, behaviours] : {std::pair{"1", 4}, {"2", 48}, {"3", 588}}) {
      const Checked checked =
          check_totals(std::string(MUTUAL_EXCLUSION) + GetParam(), {"--strategy", "dpor"}, {form, rounds, rounds});
      EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
      EXPECT_EQ(checked.executions(), behaviours) << form;
    }
  }
}

TEST_P(CompiledInAnyWay, PetersonsAlgorithmInCHasTheSameBehaviours) {
  for (const auto& [rounds, behaviours] : {std::pair{"1", 4}, {"2", 48}, {"3", 588}})
    EXPECT_EQ(check_totals(std::string(PETERSON) + GetParam(), {"--strategy", "dpor"}, {rounds}).executions(),
              behaviours);
}

/// That it has looked in vain makes a difference to the thread: it depends on that what it does later.
TEST_P(CompiledInAnyWay, WhatIsRememberedCounts) {
  const std::string program = std::string(MUTUAL_EXCLUSION) + GetParam();
  const std::vector<std::string> arguments = {"counting_lock", "1", "1"};
  const Checked all = check_totals(program, {"--strategy", "exhaustive"}, arguments);
  const Checked once = check_totals(program, {"--strategy", "dpor"}, arguments);
  EXPECT_TRUE(once.summary.value("complete", false)) << once.finished.error;
  EXPECT_EQ(once.executions(), 4);  // who is first, and whether the other one came too early
  EXPECT_EQ(all.distinct(), 4);
}

INSTANTIATE_TEST_SUITE_P(Compilers, CompiledInAnyWay,
                         testing::Values("_gcc_0", "_gcc_1", "_gcc_2", "_clang_0", "_clang_1", "_clang_2"));

INSTANTIATE_TEST_SUITE_P(
    Literature, KnownCounts,
    testing::Values(Known{{"locks", "2", "3"}, 20}, Known{{"locks", "3", "2"}, 90}, Known{{"locks", "4", "2"}, 2520},
                    Known{{"locks_together", "2", "1"}, 2}, Known{{"locks_together", "3", "2"}, 90},
                    Known{{"philosophers_together", "3", "0"}, 6}, Known{{"philosophers_together", "5", "0"}, 30},
                    Known{{"philosophers_together", "5", "1"}, 30}, Known{{"locks_of_all_kinds", "2", "2"}, 6, 0, true},
                    Known{{"locks_of_all_kinds", "3", "1"}, 6, 0, true}, Known{{"locks_in_circle", "0"}, 8, 2, true},
                    Known{{"locks_at_the_end", "2"}, 5, 0, true}, Known{{"locks_at_the_end", "3"}, 16, 0, true},
                    Known{{"crowd", "1"}, 64}, Known{{"crowd", "50"}, 64}, Known{{"readers", "6"}, 64},
                    Known{{"readers", "10"}, 1024}, Known{{"readers_beside_try", "2"}, 12},
                    Known{{"readers_beside_try", "5"}, 96}, Known{{"pairs", "5"}, 32},
                    Known{{"philosophers", "4", "1"}, 15, 1}, Known{{"philosophers", "6", "1"}, 63, 1},
                    Known{{"philosophers", "4", "2"}, 831, 45}, Known{{"last_zero", "5"}, 64},
                    Known{{"last_zero", "8"}, 704}, Known{{"last_zero", "10"}, 3328}, Known{{"fibonacci", "4"}, 19605},
                    Known{{"file_system", "13"}, 1}, Known{{"file_system", "14"}, 2}, Known{{"indexer", "11"}, 1},
                    Known{{"indexer", "12"}, 8}, Known{{"indexer", "13"}, 64}, Known{{"exits", "0"}, 22},
                    Known{{"exits_of_two", "0"}, 33}, Known{{"ticket_lock", "2"}, 2, 0, true},
                    Known{{"ticket_lock", "3"}, 6, 0, true}, Known{{"ticket_lock", "4"}, 24, 0, true},
                    Known{{"spin_lock", "2"}, 2, 0, true}, Known{{"spin_lock", "3"}, 6, 0, true},
                    Known{{"spin_lock", "4"}, 24, 0, true},
                    // (k + 1)^n
                    Known{{"sequence_lock", "1", "2"}, 3, 0, true}, Known{{"sequence_lock", "2", "2"}, 9, 0, true},
                    // As exhaustive counts them.
                    Known{{"three_looks", "1"}, 5, 0, true}, Known{{"patient_spin_lock", "2"}, 4, 0, true},
                    Known{{"patient_spin_lock", "3"}, 36, 0, true}, Known{{"roomy_wait", "1", "0"}, 1, 0, true},
                    Known{{"roomy_wait", "1", "512"}, 1, 0, true}, Known{{"roomy_wait", "2", "192"}, 1, 0, true},
                    Known{{"roomy_wait", "2", "2048"}, 1, 0, true}));

}  // namespace
}  // namespace norn::test
