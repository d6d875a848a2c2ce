// What optimal exploration looks at to find the graphs that are derived from one: reads that are all the same to an
// operation are passed over at once. To see that, the links between those in the middle are cut: whoever goes from one
// to the next does not come to what is before them.

#include "explore/dpor/races.hpp"

#include <gtest/gtest.h>

#include "explore/dpor/readers.hpp"

namespace norn::dpor {
namespace {

using Positions = std::vector<Position>;

constexpr std::uint64_t old_value = 1;
constexpr std::uint64_t new_value = 2;

class RacesOnOneObject : public testing::Test {
 protected:
  RacesOnOneObject() {
    frame.widen(clocks_at_a_time);
    causality.begin(frame, 100, 0);
  }

  void add(ThreadId thread, Op op, Effect effect, std::uint64_t before) {
    Node node{};
    node.thread = thread;
    node.op = op;
    node.effect = effect;
    node.shares = shares(op, effect, before);
    node.overtaken = no_thread;
    node.stamp = frame.next_stamp++;
    node.before = before;
    frame.nodes.push_back(node);
    causality.add(static_cast<Position>(frame.nodes.size() - 1));
  }

  /// A thread changes the value, and sees six times that it did.
  void write_and_look(Op look) {
    add(0, Op::atomic_store, Effect::write, old_value);
    for (int i = 0; i < 6; ++i) add(0, look, Effect::read, new_value);
  }

  void cut_links_between_reads() {
    for (Position i = 2; i + 1 < frame.nodes.size(); ++i)
      if (frame.nodes[i].effect == Effect::read) frame.nodes[i].previous = nowhere;
  }

  /// What another thread overtakes, the last first.
  Positions overtaken_by(Op op, std::uint64_t argument) {
    races.begin(frame, false, false, {});
    const auto length = static_cast<Position>(frame.nodes.size());
    races.find({1, op, 1, 0, argument}, length, causality.last_on(0), causality.past(1), frame.nodes.back().before);
    Positions targets;
    for (const Child& child : frame.children) targets.push_back(child.target);
    return targets;
  }

  Frame frame;
  Causality causality;
  Races races;
};

TEST_F(RacesOnOneObject, ACompareExchangeThatFailsPassesOverOthersThatDo) {
  write_and_look(Op::atomic_compare_exchange);
  cut_links_between_reads();
  EXPECT_EQ(overtaken_by(Op::atomic_compare_exchange, 9), (Positions{0}));
}

TEST_F(RacesOnOneObject, OneThatSucceedsOvertakesEveryRead) {
  write_and_look(Op::atomic_compare_exchange);
  EXPECT_EQ(overtaken_by(Op::atomic_compare_exchange, new_value), (Positions{6, 5, 4, 3, 2, 1, 0}));
}

TEST_F(RacesOnOneObject, ReadsOfAnotherStateAreLookedAt) {
  add(0, Op::atomic_compare_exchange, Effect::read, old_value);
  write_and_look(Op::atomic_load);
  add(0, Op::atomic_load, Effect::read, old_value);  // as if something else had put it back
  EXPECT_EQ(overtaken_by(Op::atomic_compare_exchange, old_value), (Positions{8, 1, 0}));
}

TEST_F(RacesOnOneObject, WhatWasDoneOncePassesOverOthersThatFindItDone) {
  add(0, Op::once, Effect::write, state::free);
  for (int i = 0; i < 6; ++i) add(0, Op::once, Effect::read, state::done);
  cut_links_between_reads();
  EXPECT_EQ(overtaken_by(Op::once, 0), (Positions{0}));
}

TEST_F(RacesOnOneObject, ReadersPassOverReadersHoweverManyThereAre) {
  add(0, Op::rwlock_write, Effect::write, state::free);
  for (unsigned i = 0; i < 6; ++i) add(0, Op::rwlock_read, Effect::read, state::of_rwlock(false, i % 3));
  cut_links_between_reads();
  EXPECT_EQ(overtaken_by(Op::rwlock_read, 0), (Positions{0}));
}

TEST_F(RacesOnOneObject, NothingIsOvertakenWhereOnlyReadsAre) {
  for (int i = 0; i < 6; ++i) add(0, Op::semaphore_try_wait, Effect::read, 0);
  EXPECT_EQ(overtaken_by(Op::semaphore_try_wait, 0), Positions{});
}

Event reads(ThreadId thread, const void* lock) {
  Event event{};
  event.thread = thread;
  event.op = Op::rwlock_read;
  event.effect = Effect::read;
  event.object = lock;
  return event;
}

TEST(Overtakers, AreReadersUntilAWriterComes) {
  const int lock = 0;
  const int other = 0;
  Frame frame;
  frame.forced = 2;
  frame.overtaken = 0;
  std::vector<Event> events = {reads(2, &lock)};
  Overtakers overtakers;
  overtakers.follow(frame, events);
  EXPECT_TRUE(overtakers.any_after(1, &lock));
  EXPECT_FALSE(overtakers.any_after(2, &lock));
  EXPECT_FALSE(overtakers.any_after(1, &other));
  events.push_back(reads(3, &lock));
  overtakers.follow(frame, events);
  EXPECT_FALSE(overtakers.any_after(2, &lock)) << "the second one has overtaken nobody";
  events.push_back(reads(0, &other));
  events.back().effect = Effect::write;
  overtakers.follow(frame, events);
  EXPECT_TRUE(overtakers.any_after(1, &lock));
  events.push_back(reads(0, &lock));
  events.back().effect = Effect::write;
  overtakers.follow(frame, events);
  EXPECT_FALSE(overtakers.any_after(1, &lock));
}

TEST(Overtakers, WhatIsKnownIsNotLookedAtAgain) {
  const int lock = 0;
  Frame frame;
  frame.forced = 2;
  frame.overtaken = 0;
  std::vector<Event> events = {reads(2, &lock)};
  Overtakers overtakers;
  overtakers.follow(frame, events);
  events[0].effect = Effect::write;
  events.push_back(reads(3, &lock));
  overtakers.follow(frame, events);
  EXPECT_TRUE(overtakers.any_after(1, &lock));
  overtakers.begin();
  overtakers.follow(frame, events);
  EXPECT_FALSE(overtakers.any_after(1, &lock));
}

}  // namespace
}  // namespace norn::dpor
