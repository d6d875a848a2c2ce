// Deadlocks that did not happen in the runs there were, but that the order of locks predicts.

#include <gtest/gtest.h>

#include <algorithm>

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
  const Checked checked = look_at_one_run("handed over");
  EXPECT_EQ(checked.verdict(), "incomplete") << checked.summary;
  ASSERT_EQ(checked.summary["warnings"].size(), 1U) << checked.summary;
  EXPECT_EQ(checked.summary["warnings"][0]["kind"], "lock-order");
  EXPECT_TRUE(contains(checked.summary["warnings"][0]["summary"], "200 runs that were steered there did not get there"))
      << checked.summary;
}

TEST(LockOrder, IsNoMatterForThreadsThatCannotMeet) {
  for (const char* const way : {"one after the other", "before it is created", "by way of a third"}) {
    const Checked checked = look_at_one_run(way);
    EXPECT_EQ(checked.verdict(), "incomplete") << checked.summary;
    EXPECT_TRUE(checked.summary["warnings"].empty()) << way << checked.summary;
  }
}

TEST(LockOrder, CountsAgainForAThreadThatIsCreatedInBetween) {
  const Checked checked = look_at_one_run("before and after");
  EXPECT_EQ(checked.first_bug(), "deadlock") << checked.summary;
}

TEST(LockOrder, IsNoMatterForReaders) {
  const Checked shared = look_at_one_run("shared");
  EXPECT_EQ(shared.verdict(), "incomplete") << shared.summary;
  EXPECT_TRUE(shared.summary["warnings"].empty()) << shared.summary;
}

TEST(LockOrder, IsOneForReadersWhoWaitForWriters) {
  EXPECT_EQ(look_at_one_run("shared first").first_bug(), "deadlock");
  EXPECT_EQ(look_at_one_run("guarded by readers").first_bug(), "deadlock");
}

/// The line of a program that contains a text, as reports name it.
std::string place_of(const std::string& source, const std::string& text) {
  const std::vector<std::string> all = lines(read_file(program(source)));
  const auto line = std::find_if(all.begin(), all.end(), [&](const std::string& one) { return contains(one, text); });
  return source + ":" + std::to_string(line - all.begin() + 1);
}

TEST(LockOrder, HasPlacesWhereNothingIsInlined) {
  const Checked checked = check(program("lock_places.cpp"),
                                {"--strategy", "random", "--max-executions", "3", "--cflags=-O0"}, {"hand over"});
  ASSERT_EQ(checked.summary["warnings"].size(), 1U) << checked.summary;
  const auto& step = checked.summary["warnings"][0]["cycle"][0];
  EXPECT_TRUE(contains(step["holds_location"], place_of("lock_places.cpp", "holds(first)"))) << step;
  EXPECT_TRUE(contains(step["wants_location"], place_of("lock_places.cpp", "second.lock()"))) << step;
  EXPECT_TRUE(contains(checked.finished.output, "std::mutex::lock()")) << checked.finished.output;
  // Several processes find the same.
  const Checked shared =
      check(program("lock_places.cpp"),
            {"--strategy", "random", "--max-executions", "3", "--cflags=-O0", "--jobs", "2"}, {"hand over"});
  ASSERT_EQ(shared.summary["warnings"].size(), 1U) << shared.summary;
  EXPECT_EQ(shared.summary["warnings"][0]["cycle"], checked.summary["warnings"][0]["cycle"]);
}

TEST(KeptLock, HasThePlaceWhereItWasTaken) {
  const Checked checked = check(program("lock_places.cpp"), {"--cflags=-O0"}, {"keep"});
  EXPECT_EQ(checked.first_bug(), "misuse") << checked.summary;
  EXPECT_TRUE(contains(checked.summary["bugs"][0]["location"], place_of("lock_places.cpp", "// kept")))
      << checked.summary;
}

TEST(LockOrder, IsDroppedWhenEverythingWasExplored) {
  const Checked checked = check(program("lock_order.c"), {}, {"handed over"});
  EXPECT_EQ(checked.verdict(), "pass") << checked.summary;
  EXPECT_TRUE(checked.summary["warnings"].empty()) << checked.summary;
}

}  // namespace
}  // namespace norn::test
