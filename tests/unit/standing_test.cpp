// An exploration can go on from where it was, in another process.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/archive.hpp"
#include "toy_program.hpp"

namespace norn::test {
namespace {

/// Wants to look all the time, and after some time it wants the exploration to stop.
class Impatient final : public Watcher {
 public:
  explicit Impatient(unsigned looks) : looks_(looks) {}
  [[nodiscard]] const std::atomic<std::uint32_t>& asks() const override { return asks_; }
  void look(Explorer& explorer, std::chrono::steady_clock::time_point) override {
    progress = explorer.progress();
    if (--looks_ == 0) stop_requested = true;
  }

  Progress progress;

 private:
  std::atomic<std::uint32_t> asks_ = 1;
  unsigned looks_;
};

struct Stages {
  Exploration found;
  unsigned count = 0;
};

/// So many runs at a time, each time with another explorer that knows only what the one before left as bytes.
Stages in_stages(const Options& options, const ToyProgram& program, unsigned runs,
                 const std::function<void(const Schedule&, Outcome&)>& judge = {}) {
  Stages stages;
  std::string bytes;
  for (;;) {
    ToyRunner runner(program);
    runner.judge = judge;
    Explorer explorer(options, runner);
    Impatient watcher(runs);
    stop_requested = false;
    const Standing from = bytes.empty() ? Standing() : unpack<Standing>(bytes);
    stages.found = explorer.explore(&watcher, bytes.empty() ? nullptr : &from);
    ++stages.count;
    if (!std::exchange(stop_requested, false)) return stages;
    Standing standing = explorer.standing();
    bytes = pack(standing);
  }
}

Exploration at_once(const Options& options, const ToyProgram& program,
                    const std::function<void(const Schedule&, Outcome&)>& judge = {}) {
  ToyRunner runner(program);
  runner.judge = judge;
  return Explorer(options, runner).explore();
}

Options exhaustive() {
  Options options;
  options.strategy = "exhaustive";
  return options;
}

TEST(Standing, IsEnoughToGoOn) {
  const ToyProgram program = independent({2, 3, 2});
  const Exploration whole = at_once(exhaustive(), program);
  for (const unsigned runs : {1U, 2U, 7U, 100U}) {
    const Stages stages = in_stages(exhaustive(), program, runs);
    EXPECT_GT(stages.count, 1U) << runs;
    EXPECT_TRUE(stages.found.complete) << runs;
    EXPECT_EQ(stages.found.executions, whole.executions) << runs;
    EXPECT_EQ(stages.found.distinct, whole.distinct) << runs;
    EXPECT_EQ(stages.found.events, whole.events) << runs;
    EXPECT_EQ(stages.found.operations, whole.operations) << runs;
  }
}

TEST(Standing, HasTheBugsSoFar) {
  Options options = exhaustive();
  options.keep_going = true;
  const auto judge = [](const Schedule& schedule, Outcome& outcome) {
    if (schedule.front().thread == 1) outcome.end = End::assertion;
  };
  const Exploration whole = at_once(options, independent({2, 3}), judge);
  const Stages stages = in_stages(options, independent({2, 3}), 3, judge);
  ASSERT_EQ(stages.found.bugs.size(), 1U);
  EXPECT_EQ(stages.found.bugs[0].count, whole.bugs[0].count);
  EXPECT_EQ(stages.found.bugs[0].schedule, whole.bugs[0].schedule);
}

TEST(Standing, KeepsToALimitOfAllRuns) {
  Options options = exhaustive();
  options.max_executions = 50;
  const Stages stages = in_stages(options, independent({2, 3, 2}), 7);
  EXPECT_EQ(stages.found.executions, 50U);
  EXPECT_FALSE(stages.found.complete);
}

/// A run that is interrupted did not happen: what it belongs to is still to be done.
TEST(Standing, IsThatBeforeARunThatWasInterrupted) {
  const ToyProgram program = independent({2, 3, 2});
  const Exploration whole = at_once(exhaustive(), program);
  ToyRunner runner(program);
  runner.judge = [&runner](const Schedule&, Outcome& outcome) {
    if (runner.runs == 100) outcome.end = End::interrupted;
  };
  Options options = exhaustive();
  options.checkpoint = true;
  Explorer explorer(options, runner);
  // It looks at the first thirty, and never again: as if the seventy after them had not been.
  class Asleep final : public Watcher {
   public:
    [[nodiscard]] const std::atomic<std::uint32_t>& asks() const override { return asks_; }
    void look(Explorer&, std::chrono::steady_clock::time_point) override { asks_ = ++looks_ < 30 ? 1 : 0; }

   private:
    std::atomic<std::uint32_t> asks_ = 1;
    unsigned looks_ = 0;
  } asleep;
  const Exploration part = explorer.explore(&asleep);
  EXPECT_EQ(part.executions, 30U);
  EXPECT_EQ(part.distinct, 30);
  EXPECT_FALSE(part.complete);
  const Standing standing = explorer.standing();
  ToyRunner other(program);
  const Exploration rest = Explorer(options, other).explore(nullptr, &standing);
  EXPECT_TRUE(rest.complete);
  EXPECT_EQ(rest.executions, whole.executions);
  EXPECT_EQ(rest.distinct, whole.distinct);
}

TEST(Standing, TellsProgress) {
  ToyRunner runner(independent({3, 3, 3}));
  const Options options = exhaustive();
  Explorer explorer(options, runner);
  Impatient watcher(100);
  stop_requested = false;
  explorer.explore(&watcher);
  stop_requested = false;
  EXPECT_EQ(watcher.progress.executions, 100U);
  EXPECT_EQ(watcher.progress.behaviours, 100);
  EXPECT_GT(watcher.progress.frontier, 0U);
  ASSERT_TRUE(watcher.progress.estimate);
  EXPECT_LE(watcher.progress.estimate->low, 1680);
  EXPECT_GE(watcher.progress.estimate->high, 1680);
}

}  // namespace
}  // namespace norn::test
