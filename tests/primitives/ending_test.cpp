// How threads and programs end, well or badly, and that one run leaves nothing behind for the next.

#include "exploration.hpp"

namespace norn::test {
namespace {

const std::vector<Case> ending_cases = {
    {"ending", "caught", {{"ok", "+frame +frame -frame -frame caught deep\n", 1}}},
    // Two operations in each thread: 4! / (2! 2!).
    {"ending", "in_flight_together", {{"ok", "4\n", 6}}, 6, races_ignored},
    {"ending", "rethrown_elsewhere", {{"ok", "from the thread\n", 1}}},
    {"ending", "uncaught", {{"exception", "", 1}}},
    {"ending", "uncaught_in_thread", {{"exception", "", 1}}},
    {"ending", "through_noexcept", {{"exception", "", 1}}},
    {"ending", "thread_locals", {{"ok", "+local +local [local 6] -local main 5 -local ", 1}}},
    // An atomic and a mutex in each thread: 6 orders.
    {"ending", "thread_locals_in_two_threads", {{"ok", "30 5\n", 6}}, 4},
    {"ending", "pthread_exit_unwinds", {{"ok", "+frame +local local unwinding -frame -local 7\n", 1}}},
    {"ending", "handlers", {{"ok", "main second registered first registered static\n", 1}}},
    {"ending", "exit_in_thread", {{"ok", "thread handler static\n", 1}}},
    // The load comes before the store, between the store and the exit, or not at all.
    {"ending", "exit_races", {{"ok", "saw 0\n", 1}, {"ok", "saw 1\n", 1}, {"ok", "", 1}}},
    {"ending", "exit_code", {{"exit", "", 1}}},
    {"ending", "exit_code_sometimes", {{"ok", "", 1}, {"exit", "", 1}}},
    {"ending", "immediately", {{"ok", "written\n", 1}}},
    {"ending", "quickly", {{"ok", "quick\n", 1}}},
    {"ending", "exits_with_error", {{"exit", "", 1}}},
    {"ending", "exits_with_number", {{"exit", "", 1}}},
    {"ending", "exits_with_line", {{"exit", "", 1}}},
    {"ending", "exits_by_system_call", {{"exit", "", 1}}},
    {"ending", "goes_on_after_error", {{"ok", "on\n", 1}}},
    {"ending", "aborts_in_library", {{"abort", "", 1}}},
    // The thread locks, loads, and waits for itself; the process ends before, between or after. That is no deadlock.
    {"ending", "detached_left_behind", {{"ok", "", 3}}},
    {"ending", "aborts", {{"abort", "", 1}}},
    {"ending", "asserts", {{"ok", "", 1}, {"assertion", "", 1}}},
    {"ending", "joinable_destroyed", {{"abort", "", 1}}},
    {"ending", "stack_overflow", {{"crash", "", 1}}},
    {"ending", "stack_overflow_in_thread", {{"crash", "", 1}}},
    {"ending", "division", {{"crash", "", 1}}},
    {"ending", "null_pointer", {{"ok", "", 1}, {"crash", "", 1}}},
    {"ending", "bad_call", {{"crash", "", 1}}},
    {"ending", "trap", {{"crash", "", 1}}},
    // The load comes before, between or after two stores.
    {"ending", "crashes_in_loader", {{"ok", "", 2}, {"crash", "", 1}}},
    {"ending", "crashes_in_callback", {{"ok", "", 2}, {"crash", "", 1}}},
    // A thread that looks again and again waits for the store.
    {"ending", "polls", {{"ok", ""}}},
    {"ending", "many_threads", {{"ok", "done\n", 1}}},
    {"ending", "much_memory", {{"ok", "100\n", 1}}},
    // Two acquisitions in each thread: 6 runs, which all begin with the same memory and so print the same.
    {"ending", "fresh_every_time", {{"ok", "5 14 4 7 5 5\n", 6}}, 6},
};

INSTANTIATE_TEST_SUITE_P(Ending, Primitive, testing::ValuesIn(ending_cases), case_name);

TEST(Ending, SameRunsInAllWays) { expect_same_runs_in_all_ways(ending_cases); }
TEST(Ending, SameOutcomesWithClang) { expect_same_outcomes_with_clang(ending_cases); }

struct Message {
  std::string name;
  std::string kind;
  std::string text;
};

std::ostream& operator<<(std::ostream& stream, const Message& message) { return stream << message.name; }

/// What is said about a bug, not only its kind.
class Reported : public testing::TestWithParam<Message> {};

TEST_P(Reported, WithMessage) {
  const auto& [name, kind, text] = GetParam();
  const Checked checked = explore({"ending", name, {}});
  ASSERT_EQ(checked.first_bug(), kind);
  EXPECT_NE(checked.summary["bugs"][0].value("message", "").find(text), std::string::npos)
      << checked.summary["bugs"][0];
  EXPECT_NE(checked.summary["bugs"][0].value("location", "").find("ending.cpp:"), std::string::npos)
      << checked.summary["bugs"][0];
}

INSTANTIATE_TEST_SUITE_P(
    Ending, Reported,
    testing::Values(
        Message{"uncaught", "exception", "std::runtime_error: nobody catches this"},
        Message{"uncaught_in_thread", "exception", "int"}, Message{"exit_code", "exit", "exit code 3"},
        Message{"exits_with_error", "exit", "exit code 3"}, Message{"exits_with_number", "exit", "exit code 4"},
        Message{"exits_with_line", "exit", "exit code 5"}, Message{"exits_by_system_call", "exit", "exit code 6"},
        Message{"aborts_in_library", "abort", "library"}, Message{"aborts", "abort", "abort()"},
        Message{"asserts", "assertion", "seen == 0"}, Message{"joinable_destroyed", "abort", "joinable"},
        Message{"stack_overflow", "crash", "stack overflow"},
        Message{"stack_overflow_in_thread", "crash", "stack overflow"},
        Message{"division", "crash", "division by zero"}, Message{"null_pointer", "crash", "segmentation fault"}),
    [](const auto& test) { return test.param.name; });

struct Limit {
  std::string name;
  std::string option;
  std::string value;
};

std::ostream& operator<<(std::ostream& stream, const Limit& limit) { return stream << limit.name; }

/// A run that hits a limit is cut, which is no bug, and the option that raises the limit is named.
class Limited : public testing::TestWithParam<Limit> {};

TEST_P(Limited, NamesTheOption) {
  const auto& [name, option, value] = GetParam();
  for (const std::string isolation : {"snapshot", "fork"}) {
    SCOPED_TRACE(isolation);
    const Checked checked = explore({"ending", name, {}}, {option, value, "--isolation", isolation});
    EXPECT_EQ(checked.verdict(), "incomplete");
    EXPECT_EQ(checked.finished.exit_code, 3);
    EXPECT_FALSE(checked.summary.value("complete", true));
    const std::string reasons = checked.summary.value("reasons", nlohmann::json()).dump();
    EXPECT_NE(reasons.find("raise " + option), std::string::npos) << reasons;
  }
}

INSTANTIATE_TEST_SUITE_P(Ending, Limited,
                         testing::Values(Limit{"counts_for_ever", "--max-steps", "30"},
                                         Limit{"many_threads", "--max-threads", "5"},
                                         Limit{"much_memory", "--max-memory", "65536"},
                                         Limit{"endless", "--max-run-seconds", "1"}),
                         [](const auto& test) { return test.param.name; });

/// State outside of memory. Whether or not it can be put back, what one run did to it is not another run's bug.
class Outside : public testing::TestWithParam<std::string> {};

TEST_P(Outside, IsNoBugOfTheNextRun) {
  EXPECT_EQ(explore({"ending", GetParam(), {}}, {"--isolation", "fork"}).verdict(), "pass");
  const Checked checked = explore({"ending", GetParam(), {}});
  EXPECT_NE(checked.verdict(), "bug") << checked.finished.output;
}

INSTANTIATE_TEST_SUITE_P(Ending, Outside, testing::Values("descriptor_closed", "directory_changed", "process_changed"),
                         [](const auto& test) { return test.param; });

/// Whatever ends the process of a run before the run is over, it is no correct run.
TEST(ForkedEnding, IsNoticedWhateverEndsIt) {
  const Checked failed = explore({"ending", "leaves_with_code", {}}, {"--isolation", "fork"});
  ASSERT_EQ(failed.first_bug(), "exit") << failed.finished.error;
  EXPECT_NE(failed.summary["bugs"][0].value("message", "").find("exit code 7"), std::string::npos);
  const Checked quiet = explore({"ending", "leaves_quietly", {}}, {"--isolation", "fork"});
  EXPECT_EQ(quiet.verdict(), "incomplete") << quiet.finished.error;
  EXPECT_NE(quiet.summary.value("reasons", nlohmann::json()).dump().find("unnoticed"), std::string::npos);
}

}  // namespace
}  // namespace norn::test
