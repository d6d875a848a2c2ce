// The loop around the strategies: when it ends, what it counts, and what it says.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "toy_program.hpp"

namespace norn::test {
namespace {

using Reasons = std::vector<std::string>;

Options exhaustive() {
  Options options;
  options.strategy = "exhaustive";
  return options;
}

Exploration explore(const Options& options, ToyRunner& runner) { return Explorer(options, runner).explore(); }

void fail(Outcome& outcome, End end, const char* message, std::uintptr_t site = 1) {
  outcome.end = end;
  outcome.site = reinterpret_cast<const void*>(site);
  outcome.set_message(message);
}

TEST(Exploring, ToTheEndIsComplete) {
  ToyRunner runner(independent({2, 2}));
  const Exploration found = explore(exhaustive(), runner);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.reasons, Reasons());
  EXPECT_EQ(found.executions, 6U);
  EXPECT_EQ(found.events, 24U);
  EXPECT_EQ(found.threads_max, 2U);
  EXPECT_EQ(found.distinct, 6);
  EXPECT_EQ(found.deadlocks, 0U);
  EXPECT_TRUE(found.bugs.empty());
  EXPECT_TRUE(found.runs.empty() && found.outcomes.empty()) << "not asked for";
}

TEST(Exploring, EndsAtTheFirstBug) {
  ToyRunner runner(independent({2, 2}));
  runner.judge = [&](const Schedule&, Outcome& outcome) {
    if (runner.runs == 2) fail(outcome, End::assertion, "no");
  };
  const Exploration found = explore(exhaustive(), runner);
  EXPECT_EQ(found.executions, 3U);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.reasons, Reasons{"stopped at the first bug (--keep-going goes on)"});
  ASSERT_EQ(found.bugs.size(), 1U);
  EXPECT_EQ(found.bugs[0].outcome.end, End::assertion);
  EXPECT_STREQ(found.bugs[0].outcome.message, "no");
  EXPECT_EQ(found.bugs[0].schedule, runner.schedule());
}

TEST(Exploring, GoesOnIfAskedAndTellsBugsApart) {
  ToyRunner runner(independent({2, 2}));
  runner.judge = [&](const Schedule&, Outcome& outcome) {
    switch (runner.runs) {
      case 0:
      case 5: return fail(outcome, End::assertion, "one");
      case 1: return fail(outcome, End::assertion, "two");
      case 2: return fail(outcome, End::assertion, "one", 2);
      case 3: return fail(outcome, End::crash, "one");
      case 6: return fail(outcome, End::assertion, "one");  // the first once more
      default: return;
    }
  };
  Options options = exhaustive();
  options.keep_going = true;
  const Exploration found = explore(options, runner);
  EXPECT_EQ(found.executions, 6U);
  EXPECT_TRUE(found.complete) << "everything was seen";
  ASSERT_EQ(found.bugs.size(), 4U);
  EXPECT_EQ(found.bugs[0].count, 2U);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_EQ(found.bugs[i].count, 1U);
}

TEST(Exploring, CountsDeadlocks) {
  ToyRunner runner({{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)}});
  Options options = exhaustive();
  options.keep_going = true;
  const Exploration found = explore(options, runner);
  EXPECT_EQ(found.deadlocks, 2U);
  ASSERT_EQ(found.bugs.size(), 1U);
  EXPECT_EQ(found.bugs[0].count, 2U);
  EXPECT_TRUE(is_bug(found.bugs[0].outcome.end));
}

TEST(Exploring, EndsWithItsBudgetOfRuns) {
  ToyRunner runner(independent({2, 2}));
  Options options = exhaustive();
  options.max_executions = 5;
  Exploration found = explore(options, runner);
  EXPECT_EQ(found.executions, 5U);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.reasons, Reasons{"stopped after 5 executions (--max-executions)"});
  options.max_executions = 7;
  found = explore(options, runner);
  EXPECT_EQ(found.executions, 6U);
  EXPECT_TRUE(found.complete) << "the limit was not reached";
}

TEST(Exploring, EndsWithItsBudgetOfTime) {
  ToyRunner runner(independent({9, 9}));
  runner.judge = [](const Schedule&, Outcome&) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  Options options = exhaustive();
  options.max_seconds = 0.05;
  const Exploration found = explore(options, runner);
  EXPECT_GT(found.executions, 1U);
  EXPECT_LT(found.executions, 51U);
  EXPECT_GE(found.seconds, 0.05);
  EXPECT_EQ(found.reasons, Reasons{"stopped after 0.05 seconds (--max-seconds)"});
}

TEST(Exploring, EndsWhenItIsInterrupted) {
  ToyRunner runner(independent({9, 9}));
  runner.judge = [&](const Schedule&, Outcome&) { stop_requested = runner.runs == 9; };
  const Exploration found = explore(exhaustive(), runner);
  stop_requested = false;
  EXPECT_EQ(found.executions, 10U);
  EXPECT_EQ(found.reasons, Reasons{"interrupted"});
}

TEST(Exploring, BySamplingIsNeverComplete) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    Options options;
    options.strategy = strategy;
    ToyRunner runner(independent({1}));
    Exploration found = explore(options, runner);
    EXPECT_EQ(found.executions, 10'000U) << "what nobody limits has a limit of its own";
    ASSERT_EQ(found.reasons.size(), 2U);
    EXPECT_EQ(found.reasons[1], std::string("strategy ") + strategy + " samples behaviours; it cannot be complete");
    EXPECT_FALSE(found.complete);
    options.max_executions = 20'000;
    EXPECT_EQ(explore(options, runner).executions, 20'000U) << "and a limit that is set is the only one";
    options.max_executions = 0;
    options.max_seconds = 0.05;
    EXPECT_NE(explore(options, runner).executions, 10'000U);
  }
}

TEST(Exploring, SaysWhichLimitCutARun) {
  Options options = exhaustive();
  options.max_steps = 7;
  options.max_threads = 8;
  options.max_memory = 65536;
  options.max_run_seconds = 1.5;
  const std::vector<std::pair<End, std::string>> limits = {
      {End::step_limit, "--max-steps"}, {End::thread_limit, "--max-threads"}, {End::memory_limit, "--max-memory"},
      {End::hang, "--max-run-seconds"}, {End::diverged, "uncontrolled"},
  };
  for (const auto& [end, option] : limits) {
    ToyRunner runner(independent({2, 2}));
    runner.judge = [&, end = end](const Schedule&, Outcome& outcome) {
      if (runner.runs % 2 == 0) fail(outcome, end, "");
    };
    const Exploration found = explore(options, runner);
    EXPECT_EQ(found.executions, 6U) << "a run that is cut does not end the exploration";
    EXPECT_TRUE(found.bugs.empty());
    EXPECT_FALSE(found.complete);
    ASSERT_EQ(found.reasons.size(), 1U);
    EXPECT_TRUE(found.reasons[0].starts_with("3 runs were cut ")) << found.reasons[0];
    EXPECT_NE(found.reasons[0].find(option), std::string::npos) << found.reasons[0];
  }
}

TEST(Exploring, SaysWhatWasNotUnderControl) {
  ToyRunner runner(independent({1, 1}));
  runner.said = {"the program calls fork"};
  const Exploration found = explore(exhaustive(), runner);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.reasons, Reasons{"the program calls fork"});
}

TEST(Exploring, BeginsAnewWhenTheRunnerAsks) {
  ToyRunner runner(independent({2, 2}));
  runner.judge = [&](const Schedule&, Outcome& outcome) {
    if (runner.runs == 3) runner.restart = true;
    if (runner.runs == 1) fail(outcome, End::step_limit, "");
  };
  Options options = exhaustive();
  options.list_runs = true;
  const Exploration found = explore(options, runner);
  EXPECT_EQ(runner.runs, 10U) << "four that do not count and six that do";
  EXPECT_EQ(found.executions, 6U);
  EXPECT_EQ(found.runs.size(), 6U);
  EXPECT_TRUE(found.complete) << "what was cut before does not count either";
}

TEST(Exploring, SpendsItsSecondsOnAllRunsThatCountOrDoNot) {
  ToyRunner runner(independent({2, 2}));
  runner.judge = [&](const Schedule&, Outcome&) {
    if (runner.runs > 1) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    runner.restart = true;
  };
  Options options = exhaustive();
  options.max_seconds = 0.01;
  const Exploration found = explore(options, runner);
  EXPECT_EQ(runner.runs, 1U) << "the time is over: nothing is begun anew";
  EXPECT_EQ(found.executions, 0U);
  EXPECT_FALSE(found.complete);
}

TEST(Exploring, ListsRunsAndOutcomes) {
  ToyOperation signal{Op::condition_signal, 0, Effect::write, {1, 2}};
  ToyRunner runner({{signal}, {update()}});
  runner.judge = [&](const Schedule& schedule, Outcome& outcome) {
    runner.output = schedule[0].thread == 0 ? "first" : "second";
    if (schedule[0].alternative == 2) fail(outcome, End::abort, "");
  };
  Options options = exhaustive();
  options.list_runs = options.outcomes = options.keep_going = true;
  const Exploration found = explore(options, runner);
  EXPECT_EQ(found.runs, (std::vector<std::string>{
                            "ok 0:condition.signal(1) 1:atomic.update", "abort 0:condition.signal(2) 1:atomic.update",
                            "ok 1:atomic.update 0:condition.signal(1)", "ok 1:atomic.update 0:condition.signal(2)"}));
  EXPECT_EQ(found.outcomes, (Outcomes{{{"ok", "first"}, 1}, {{"abort", "first"}, 1}, {{"ok", "second"}, 2}}));
}

TEST(Exploring, PassesTheGuaranteeOn) {
  Options options;
  options.strategy = "pct";
  options.max_executions = 3;
  ToyRunner runner(independent({1, 1}));
  EXPECT_NE(explore(options, runner).guarantee.find("k = 2 steps"), std::string::npos);
}

TEST(Ends, HaveNamesOfTheContract) {
  EXPECT_STREQ(kind(End::assertion), "assertion");
  EXPECT_STREQ(kind(End::exit_code), "exit");
  for (int i = 0; i <= static_cast<int>(End::diverged); ++i) {
    const End end = static_cast<End>(i);
    EXPECT_STRNE(kind(end), "unknown") << i;
    EXPECT_FALSE(is_bug(end) && is_cut(end)) << i;
    EXPECT_EQ(!is_bug(end) && !is_cut(end), end <= End::repeats) << i;
  }
}

}  // namespace
}  // namespace norn::test
