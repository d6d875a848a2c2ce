// Strategy coverage from run to run: what it makes of runs that are written down by hand.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explore/coverage/steps.hpp"
#include "explore/strategy.hpp"

namespace norn::coverage {
namespace {

const char lock = 0;

/// Threads take one lock, and give it back at once.
struct ChosenRun {
  std::vector<Event> events;
  std::vector<Location> locations;
  std::vector<Link> links;

  ChosenRun& take(ThreadId thread, Location location) {
    Event event{};
    event.thread = thread;
    event.op = Op::mutex_lock;
    event.effect = Effect::write;
    event.object = &lock;
    events.push_back(event);
    locations.push_back(location);
    links.push_back(
        {static_cast<std::uint32_t>(events.size()), LinkKind::released, Op::none, thread, no_thread, &lock});
    return *this;
  }

  [[nodiscard]] Trace trace() const {
    Trace trace;
    trace.events = events;
    trace.locations = locations;
    trace.links = links;
    return trace;
  }
};

void run(Strategy& strategy, const ChosenRun& written) {
  Prefix prefix;
  ASSERT_TRUE(strategy.next(prefix));
  strategy.learn(written.trace());
}

/// Of a requirement: whether it was estimated at first, and the run that covered it.
std::optional<std::pair<bool, std::uint64_t>> state_of(const Strategy& strategy, const Pair& pair) {
  const nlohmann::json coverage = nlohmann::json::parse(strategy.coverage());
  for (const nlohmann::json& one : coverage.at("requirements"))
    if (one.at(0) == pair.first && one.at(1) == pair.second) return std::pair{one.at(2), one.at(3)};
  return std::nullopt;
}

/// Thread 2 comes to line 4 only in a run that departed from the rules: that 2 could follow there is estimated then.
/// As long as the rules cover something new, what they lead to counts only if it happens.
TEST(CoverageStrategy, EstimatesAgainWhereRunsInVainLeadElsewhere) {
  const auto strategy = make_coverage({});
  const ChosenRun usual = ChosenRun().take(1, 2).take(2, 3);
  const ChosenRun elsewhere = ChosenRun().take(1, 2).take(2, 4);
  run(*strategy, usual);
  EXPECT_EQ(state_of(*strategy, {3, 2}), std::pair(true, std::uint64_t{0}));
  run(*strategy, elsewhere);  // covers 2 and then 4; follows the rules
  EXPECT_EQ(state_of(*strategy, {2, 4}), std::pair(false, std::uint64_t{2}));
  EXPECT_EQ(state_of(*strategy, {4, 2}), std::nullopt);
  run(*strategy, usual);      // in vain
  run(*strategy, elsewhere);  // departs from the rules
  EXPECT_EQ(state_of(*strategy, {4, 2}), std::pair(false, std::uint64_t{0}));
  const nlohmann::json coverage = nlohmann::json::parse(strategy->coverage());
  EXPECT_EQ(coverage.at("estimated"), 2);
  EXPECT_EQ(coverage.at("found_later"), 2);
  EXPECT_EQ(coverage.at("covered"), 2);
  EXPECT_EQ(coverage.at("uncovered"), 2);
}

/// Line 3 after 2 was thought impossible, because thread 1 takes the lock twice there, until a run shows it.
TEST(CoverageStrategy, WhatIsCoveredIsNotInfeasible) {
  const auto strategy = make_coverage({});
  run(*strategy, ChosenRun().take(1, 2).take(1, 3));
  const auto infeasible = [&] { return nlohmann::json::parse(strategy->coverage()).at("infeasible"); };
  EXPECT_EQ(infeasible(), 1);  // 2 after 3
  run(*strategy, ChosenRun().take(1, 3).take(1, 2));
  EXPECT_EQ(infeasible(), 0);
}

TEST(CoverageStrategy, SaysThatRunsDoNotCount) {
  const auto strategy = make_coverage({});
  const ChosenRun usual = ChosenRun().take(1, 2).take(2, 3);
  run(*strategy, usual);
  EXPECT_EQ(strategy->leaves_out(), "");
  Prefix prefix;
  ASSERT_TRUE(strategy->next(prefix));
  Trace trace = usual.trace();
  trace.unlocated = true;
  strategy->learn(trace);
  EXPECT_NE(strategy->leaves_out().find("1 run "), std::string::npos) << strategy->leaves_out();
}

/// A step is where a thread comes from and where it goes, and what it takes there.
TEST(Steps, AreNewOnce) {
  const auto criterion = make_sync_pairs();
  Steps steps;
  EXPECT_TRUE(steps.add(ChosenRun().take(1, 2).take(1, 3).take(2, 3).trace(), *criterion));
  EXPECT_FALSE(steps.add(ChosenRun().take(2, 3).take(1, 2).take(1, 3).trace(), *criterion));
  EXPECT_FALSE(steps.add(ChosenRun().take(1, 2).trace(), *criterion));
  EXPECT_TRUE(steps.add(ChosenRun().take(1, 3).trace(), *criterion));
  EXPECT_TRUE(steps.add(ChosenRun().take(2, 3).take(2, 2).trace(), *criterion));
}

}  // namespace
}  // namespace norn::coverage
