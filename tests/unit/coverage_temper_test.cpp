// Strategy coverage: who could follow whom, and how runs depart from the rules.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "exec/locations.hpp"
#include "explore/coverage/controller.hpp"

namespace norn::coverage {
namespace {

const char locks[3] = {};

/// Threads come and go and move on, and requirements get covered: always the same as comparing all with all.
TEST(Followers, AreThoseOfAllPairs) {
  SplitMix64 stream(1);
  constexpr unsigned lines = 12;
  Followers followers;
  for (unsigned run = 0; run < 20; ++run) {
    const auto threads = static_cast<ThreadId>(2 + stream.below(100));
    Requirements requirements;
    for (unsigned i = 0; i < 40; ++i)
      requirements.add({static_cast<Location>(stream.below(lines)), static_cast<Location>(stream.below(lines))}, true);
    const auto next = [&](ThreadId thread) {
      return Action{thread, true, &locks[stream.below(3)], static_cast<Location>(stream.below(lines))};
    };
    std::vector<Action> pending;
    for (ThreadId thread = 0; thread < threads; ++thread) pending.push_back(next(thread));
    followers.begin_run();
    for (unsigned step = 0; step < 50; ++step) {
      std::vector<Action> enabled;
      for (const Action& action : pending)
        if (stream.below(4) != 0) enabled.push_back(action);
      followers.update(enabled, requirements);
      for (const Action& first : enabled) {
        const bool expected = std::any_of(enabled.begin(), enabled.end(), [&](const Action& second) {
          return first.thread != second.thread && first.object == second.object &&
                 requirements.is_uncovered({first.location, second.location});
        });
        ASSERT_EQ(followers.any_after(first.thread, requirements), expected);
      }
      const auto moving = static_cast<ThreadId>(stream.below(threads));
      requirements.cover_for_now({pending[moving].location, static_cast<Location>(stream.below(lines))});
      pending[moving] = next(moving);
    }
  }
}

/// Three threads that take the same lock at lines of their own.
std::vector<Action> three() { return {{0, true, &locks[0], 2}, {1, true, &locks[0], 3}, {2, true, &locks[1], 4}}; }

/// Only threads that the aim is about are held up, and those that want the same lock.
TEST(Temper, AimsAtAPartOfWhatIsUncovered) {
  Requirements requirements;
  Requirements aim;
  for (const Pair& pair : {Pair{2, 3}, Pair{4, 4}}) requirements.add(pair, true);
  aim.add({2, 3}, true);
  Temper temper;
  temper.aim = &aim;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Controller controller(true);
    controller.begin_run(seed, temper);
    EXPECT_EQ(controller.decide(three(), requirements), 2U);
  }
}

/// Nothing is uncovered, so that all are free. Who has the highest rank goes on, for as long as it has it.
TEST(Temper, KeepsThreadsGoing) {
  const auto changes_of = [](double rank_change) {
    unsigned changes = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Temper temper;
      temper.rank_change = rank_change;
      Controller controller(true);
      controller.begin_run(seed, temper);
      std::size_t before = controller.decide(three(), {});
      for (unsigned step = 0; step < 100; ++step) {
        const std::size_t now = controller.decide(three(), {});
        changes += now != before ? 1 : 0;
        before = now;
      }
    }
    return changes;
  };
  EXPECT_GT(changes_of(1), 1'000U);  // of 2,000, two thirds
  EXPECT_LT(changes_of(0.03), 100U);
  EXPECT_GT(changes_of(0.03), 10U);
}

/// Every paused thread is drawn now and then, although rule 3 would always resume the third.
TEST(Temper, LeavesRulesTwoAndThreeOut) {
  Requirements requirements;
  for (const Pair& pair : {Pair{2, 9}, Pair{9, 2}, Pair{3, 9}, Pair{9, 3}, Pair{4, 9}}) requirements.add(pair, true);
  std::set<std::size_t> by_rules;
  std::set<std::size_t> at_random;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Controller controller(true);
    controller.begin_run(seed);
    by_rules.insert(controller.decide(three(), requirements));
    Temper temper;
    temper.unrest = 1;
    controller.begin_run(seed, temper);
    at_random.insert(controller.decide(three(), requirements));
  }
  EXPECT_EQ(by_rules, (std::set<std::size_t>{2}));
  EXPECT_EQ(at_random, (std::set<std::size_t>{0, 1, 2}));
}

/// Line 3 after 9 is nobody's requirement, but no run has covered it yet. When one has, the rules decide.
TEST(Temper, TakesWhatNobodyEstimated) {
  Requirements requirements;
  for (const Pair& pair : {Pair{2, 8}, Pair{3, 8}, Pair{8, 3}, Pair{4, 8}}) requirements.add(pair, true);
  const auto chosen = [&requirements](bool takes_unestimated) {
    std::set<std::size_t> all;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Temper temper;
      temper.takes_unestimated = takes_unestimated;
      Controller controller(true);
      controller.begin_run(seed, temper);
      controller.happened(3, &locks[0], 9);
      all.insert(controller.decide(three(), requirements));
    }
    return all;
  };
  requirements.cover({9, 2}, 1);
  EXPECT_EQ(chosen(true), (std::set<std::size_t>{1}));
  EXPECT_EQ(chosen(false), (std::set<std::size_t>{0, 2}));  // rule 3
  requirements.cover_for_now({9, 3});
  EXPECT_EQ(chosen(true), (std::set<std::size_t>{0, 2}));
  requirements.end_run();
  EXPECT_EQ(chosen(true), (std::set<std::size_t>{1}));
}

/// A line that gets its number only when the run has ended is not remembered by what stands for it.
TEST(Requirements, OfLinesWithoutNumbersStayNew) {
  Requirements requirements;
  const Pair pair{first_postponed_location, 2};
  requirements.cover_for_now(pair);
  EXPECT_TRUE(requirements.is_new(pair));
  EXPECT_FALSE(requirements.is_uncovered(pair));
}

}  // namespace
}  // namespace norn::coverage

namespace norn::exec {
namespace {

/// What is a library's is passed over as soon as that is known, frame by frame.
TEST(Locations, OfCallStacksAreResolvedWhenTheyHaveNames) {
  const auto locations = std::make_unique<Locations>();
  Locations::Stack stack;
  for (const std::uintptr_t frame : {100, 200, 300}) stack.push(frame);
  const Location location = locations->postpone(stack);
  EXPECT_EQ(locations->postpone(stack), location);
  const auto unnamed = [&locations] {
    std::vector<std::uintptr_t> asked;
    locations->for_each_unnamed([&asked](std::uintptr_t address) { asked.push_back(address); });
    return asked;
  };
  EXPECT_EQ(unnamed(), (std::vector<std::uintptr_t>{100}));
  EXPECT_EQ(locations->resolve(location), Locations::unknown);
  locations->set(100, Locations::library);
  EXPECT_EQ(unnamed(), (std::vector<std::uintptr_t>{200}));
  locations->set(200, 7);
  EXPECT_TRUE(unnamed().empty());
  EXPECT_EQ(locations->resolve(location), 7U);
  EXPECT_EQ(locations->resolve(5), 5U);
  locations->set(200, Locations::library);
  locations->set(300, Locations::library);
  EXPECT_EQ(locations->resolve(location), Locations::library);
  EXPECT_FALSE(locations->without_room());
  for (std::uintptr_t frame = 1'000; !locations->without_room() && frame < 10'000; ++frame) {
    Locations::Stack other;
    other.push(frame);
    locations->postpone(other);
  }
  EXPECT_TRUE(locations->without_room());
  locations->forget_postponed();
  EXPECT_FALSE(locations->without_room());
}

}  // namespace
}  // namespace norn::exec
