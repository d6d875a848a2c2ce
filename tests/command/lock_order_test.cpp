// Deadlocks that did not happen in the runs there were, but that the order of locks predicts.

#include <gtest/gtest.h>

#include "command.hpp"

namespace norn::test {
namespace {

/// One run that ends well: what is found is found by looking at the order of its locks.
Checked look_at_one_run(const std::string& way) {
  for (const char* const seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    Checked checked = check(program("lock_order.c"),
                            {"--strategy", "random", "--seed", seed, "--max-executions", "1", "--keep-going"}, {way});
    // Not from a run in which it happened by itself.
    if (checked.outcomes.contains({"ok", ""})) return checked;
  }
  ADD_FAILURE() << "no run ends well";
  return {};
}

TEST(LockOrder, PredictsADeadlockAndConfirmsIt) {
  const Checked checked = look_at_one_run("opposite");
  EXPECT_EQ(checked.first_bug(), "deadlock") << checked.summary;
  EXPECT_EQ(checked.finished.exit_code, 1);
  EXPECT_TRUE(checked.summary["warnings"].empty()) << checked.summary;
}

TEST(LockOrder, IsNoMatterUnderACommonLock) {
  const Checked checked = look_at_one_run("guarded");
  EXPECT_EQ(checked.verdict(), "incomplete") << checked.summary;
  EXPECT_TRUE(checked.summary["warnings"].empty()) << checked.summary;
}

TEST(LockOrder, IsNoMatterForThoseWhoOnlyTry) {
  const Checked checked = look_at_one_run("trying");
  EXPECT_EQ(checked.verdict(), "incomplete") << checked.summary;
  EXPECT_TRUE(checked.summary["warnings"].empty()) << checked.summary;
}

TEST(LockOrder, IsAWarningIfNoRunConfirmsIt) {
  const Checked checked = look_at_one_run("one after the other");
  EXPECT_EQ(checked.verdict(), "incomplete") << checked.summary;
  ASSERT_EQ(checked.summary["warnings"].size(), 1U) << checked.summary;
  EXPECT_EQ(checked.summary["warnings"][0]["kind"], "lock-order");
}

TEST(LockOrder, IsDroppedWhenEverythingWasExplored) {
  const Checked checked = check(program("lock_order.c"), {}, {"one after the other"});
  EXPECT_EQ(checked.verdict(), "pass") << checked.summary;
  EXPECT_TRUE(checked.summary["warnings"].empty()) << checked.summary;
}

}  // namespace
}  // namespace norn::test
