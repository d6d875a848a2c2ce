// What Norn's constructs do under each strategy, and that using them wrongly is an error.

#include <gtest/gtest.h>

#include "norn_check.hpp"

namespace norn::test {
namespace {

using Words = std::vector<std::string>;

Checked explore(const std::string& strategy, const Words& arguments) {
  return check(CONSTRUCTS, {"--strategy", strategy, "--keep-going"}, arguments);
}

void expect_behaviours(const Words& arguments, unsigned long behaviours) {
  for (const char* const strategy : {"exhaustive", "dpor", "reachability", "auto"}) {
    SCOPED_TRACE(strategy);
    const Checked checked = explore(strategy, arguments);
    EXPECT_EQ(checked.summary.value("verdict", ""), "pass") << checked.finished.output;
    EXPECT_EQ(checked.distinct(), behaviours);
    EXPECT_TRUE(std::string(strategy) == "exhaustive" || checked.executions() == behaviours) << checked.executions();
  }
}

// Only the order in which messages are sent counts, whatever the capacity: (nk)!/(k!)^n.
TEST(BoundedPort, OrderOfDeposits) {
  expect_behaviours({"bounded_port", "2", "1", "1"}, 2);
  expect_behaviours({"bounded_port", "2", "2", "1"}, 6);
  expect_behaviours({"bounded_port", "2", "2", "3"}, 6);
  expect_behaviours({"bounded_port", "3", "1", "2"}, 6);
}

TEST(BoundedPort, MayBeTheLastThing) {
  for (const char* const strategy : {"exhaustive", "dpor", "reachability", "auto"})
    EXPECT_EQ(explore(strategy, {"failing_after_send"}).first_bug(), "abort") << strategy;
}

TEST(BoundedPort, MessagesMayBeLeft) { expect_behaviours({"left_over"}, 2); }

// Where somebody looks whether there is a message, sending is an event. One message, looks before it or after it: with
// n looks, n + 1 places. Two messages and two looks: each look sees the messages sent before it, C(4, 2) orders.
TEST(Select, Otherwise) {
  expect_behaviours({"otherwise", "1", "1"}, 2);
  expect_behaviours({"otherwise", "1", "3"}, 4);
  expect_behaviours({"otherwise", "2", "2"}, 6);
}

TEST(Select, Delay) { expect_behaviours({"delay"}, 2); }

/// Whoever waits for ever has not been interrupted.
TEST(Entry, ThatNobodyAcceptsNeedsNoPreemption) {
  for (const char* const strategy : {"exhaustive", "auto"}) {
    const Checked checked = check(CONSTRUCTS, {"--strategy", strategy, "--preemptions", "0"}, {"unanswered"});
    EXPECT_EQ(checked.summary.value("verdict", ""), "bug") << strategy << checked.finished.output;
  }
}

TEST(Select, LeavesNothingBehindNatively) { EXPECT_EQ(run({NATIVE_CONSTRUCTS, "looked_in_vain", "40"}).exit_code, 0); }

TEST(SynchronousPort, AnyOrder) { expect_behaviours({"synchronous_port", "3"}, 6); }

TEST(Constructs, HandOverMemory) {
  expect_behaviours({"handed_over"}, 1);
  EXPECT_EQ(explore("auto", {"written_after_sending"}).summary["bugs"][0]["kind"], "data-race");
}

TEST(Constructs, WaitForEver) {
  const Checked checked = explore("auto", {"no_message"});
  EXPECT_EQ(checked.summary.value("deadlocks", 0UL), 1);
}

struct Wrong {
  std::string program;
  std::string message;
};

void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.program; }

class Misuse : public testing::TestWithParam<Wrong> {};

TEST_P(Misuse, IsAnErrorExploredOrNot) {
  const Wrong& wrong = GetParam();
  for (const char* const strategy : {"exhaustive", "dpor", "reachability"}) {
    const Checked checked = check(CONSTRUCTS, {"--strategy", strategy}, {wrong.program});
    ASSERT_FALSE(checked.summary["bugs"].empty()) << strategy;
    EXPECT_EQ(checked.summary["bugs"][0]["kind"], "misuse");
    EXPECT_EQ(checked.summary["bugs"][0]["message"], wrong.message);
  }
  const Finished native = run({NATIVE_CONSTRUCTS, wrong.program});
  EXPECT_NE(native.exit_code, 0);
  EXPECT_EQ(native.error, "norn: " + wrong.message + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Constructs, Misuse,
    testing::Values(Wrong{"second_receiver", "a second thread receives from a port: only one may"},
                    Wrong{"signal_outside", "a condition of a monitor is used by a thread that is not in the monitor"},
                    Wrong{"enter_twice", "a thread enters a monitor in which it is already"},
                    Wrong{"two_alternatives", "a selective wait has two alternatives for one port"},
                    Wrong{"nothing_open", "no alternative of a selective wait is open"},
                    Wrong{"no_room", "a port must have room for one message at least"},
                    Wrong{"less_than_0", "a counting semaphore is 0 or more at first"},
                    Wrong{"neither_0_nor_1", "a binary semaphore is 0 or 1 at first"}),
    [](const auto& wrong) { return wrong.param.program; });

// What is used correctly works natively too.
TEST(Constructs, RunNatively) {
  for (const Words& words : {Words{"bounded_port", "4", "500", "3"}, Words{"otherwise", "100", "100"}, Words{"delay"},
                             Words{"synchronous_port", "50"}, Words{"handed_over"}}) {
    Words command = {NATIVE_CONSTRUCTS};
    command.insert(command.end(), words.begin(), words.end());
    const Finished native = run(command);
    EXPECT_EQ(native.exit_code, 0) << words.front() << native.error;
  }
}

}  // namespace
}  // namespace norn::test
