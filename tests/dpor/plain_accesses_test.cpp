// Plain accesses in programs that dpor explores: as scheduling points, and to the stacks of threads that wait.

#include <gtest/gtest.h>

#include "norn_check.hpp"

namespace norn::test {
namespace {

std::vector<std::string> with(const std::string& strategy, std::vector<std::string> options) {
  options.insert(options.end(), {"--strategy", strategy, "--races", "ignore"});
  return options;
}

void expect_same(const std::vector<std::string>& options, const std::vector<std::string>& arguments,
                 unsigned long behaviours) {
  const Checked all = check(PLAIN_ACCESSES, with("exhaustive", options), arguments);
  const Checked once = check(PLAIN_ACCESSES, with("dpor", options), arguments);
  EXPECT_TRUE(all.summary.value("complete", false)) << all.finished.error;
  EXPECT_TRUE(once.summary.value("complete", false)) << once.finished.error;
  EXPECT_EQ(all.distinct(), behaviours);
  EXPECT_EQ(once.executions(), behaviours);
  EXPECT_EQ(once.distinct(), behaviours);
}

// Whether a compare-and-swap succeeds depends on what plain writes left.
TEST(PlainAccesses, AreWhatAtomicOperationsSee) {
  expect_same({"--plain", "visible"}, {"places", "2"}, 22);
  expect_same({"--plain", "visible"}, {"places", "3"}, 435);
}

// A look that shows nothing is no event, whatever else another thread writes to the stack of the one who looks.
TEST(PlainAccesses, ToTheStackOfAThreadThatWaitsAreKnownIfNobodyAsksForThem) {
  expect_same({"--memory", "ignore"}, {"request"}, 1);
  expect_same({}, {"request"}, 1);
}

TEST(PlainAccesses, ToOtherBytesThanThoseOfAnAtomicOperation) {
  expect_same({"--plain", "visible"}, {"part"}, 2);
  const Checked checked = check(PLAIN_ACCESSES, with("dpor", {"--plain", "visible"}), {"whole"});
  EXPECT_EQ(checked.verdict(), "incomplete");
  EXPECT_NE(checked.summary["reasons"].dump().find("other bytes than theirs"), std::string::npos) << checked.summary;
}

TEST(PlainAccesses, FreeingIsOneOfThem) {
  for (const char* strategy : {"auto", "dpor", "exhaustive", "random"}) {
    const Checked checked =
        check(PLAIN_ACCESSES, with(strategy, {"--plain", "visible", "--max-executions", "200"}), {"freed"});
    EXPECT_EQ(checked.finished.exit_code, 1) << strategy;
    EXPECT_NE(checked.finished.output.find("use after free"), std::string::npos) << strategy << checked.finished.output;
  }
}

// What becomes visible with the race does not keep it from being found again.
TEST(PlainAccesses, ARaceThatIsSampledIsReported) {
  for (const char* strategy : {"random", "pct", "pos"})
    for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
      const Checked checked = check(
          PLAIN_ACCESSES, {"--strategy", strategy, "--seed", seed, "--plain", "visible", "--max-executions", "1000"},
          {"bad_lock"});
      EXPECT_EQ(checked.finished.exit_code, 1) << strategy << " with seed " << seed << checked.finished.output;
    }
}

}  // namespace
}  // namespace norn::test
