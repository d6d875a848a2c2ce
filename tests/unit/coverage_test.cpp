// Strategy coverage: the example of the paper (figures 2 and 3), what is estimated, and the controller step by step.

#include <gtest/gtest.h>

#include "explore/coverage/controller.hpp"
#include "explore/coverage/criterion.hpp"
#include "explore/coverage/saturation.hpp"

namespace norn::coverage {
namespace {

/// A run that is written down by hand.
class WrittenRun {
 public:
  WrittenRun& lock(ThreadId thread, const void* object, Location location) {
    Event event{};
    event.thread = thread;
    event.op = Op::mutex_lock;
    event.effect = Effect::write;
    event.object = object;
    events_.push_back(event);
    locations_.push_back(location);
    return *this;
  }
  WrittenRun& access(ThreadId thread, const void* object, Location location, Op op) {
    lock(thread, object, location);
    events_.back().op = op;
    events_.back().effect = op == Op::plain_read ? Effect::read : Effect::write;
    return *this;
  }
  WrittenRun& read(ThreadId thread, const void* object, Location location) {
    return access(thread, object, location, Op::plain_read);
  }
  WrittenRun& write(ThreadId thread, const void* object, Location location) {
    return access(thread, object, location, Op::plain_write);
  }
  WrittenRun& unlock(ThreadId thread, const void* object) {
    return link(LinkKind::released, thread, no_thread, object);
  }
  WrittenRun& create(ThreadId parent, ThreadId child) { return link(LinkKind::created, parent, child, nullptr); }
  WrittenRun& join(ThreadId thread, ThreadId ended) { return link(LinkKind::joined, thread, ended, nullptr); }

  Trace trace() {
    Trace trace;
    trace.events = events_;
    trace.links = links_;
    trace.locations = locations_;
    return trace;
  }
  Estimated estimate(bool happens_before = false) {
    const Trace run = trace();
    return make_sync_pairs()->estimate(ThreadModel(run), happens_before);
  }
  Estimated estimate_with(const Criterion& criterion) {
    const Trace run = trace();
    return criterion.estimate(ThreadModel(run, true), false);
  }
  std::set<Pair> covered(std::unique_ptr<Criterion> criterion = make_sync_pairs()) {
    const Trace run = trace();
    return criterion->covered(run, ThreadModel(run));
  }

 private:
  WrittenRun& link(LinkKind kind, ThreadId thread, ThreadId other, const void* object) {
    links_.push_back({static_cast<std::uint32_t>(events_.size()), kind, Op::none, thread, other, object});
    return *this;
  }

  std::vector<Event> events_;
  std::vector<Location> locations_;
  std::vector<Link> links_;
};

const int lock_m = 0;
const int lock_n = 0;
const void* const m = &lock_m;
const void* const n = &lock_n;

// Lines of the program of figure 2; its threads are 1 and 2.
constexpr Location l2a = 21;
constexpr Location l4a = 41;
constexpr Location l2b = 22;
constexpr Location l4b = 42;

WrittenRun figure_2() {
  WrittenRun run;
  run.create(0, 1).create(0, 2);
  run.lock(1, m, l2a).unlock(1, m).lock(1, m, l4a).unlock(1, m);
  run.lock(2, m, l2b).unlock(2, m).lock(2, m, l4b).unlock(2, m);
  return run;
}

const std::set<Pair> requirements_of_figure_2 = {{l2a, l4a}, {l2a, l2b}, {l2a, l4b}, {l4a, l2b}, {l4a, l4b},
                                                 {l2b, l4b}, {l2b, l2a}, {l2b, l4a}, {l4b, l2a}, {l4b, l4a}};

TEST(Estimation, OfThePapersExample) {
  const Estimated found = figure_2().estimate();
  EXPECT_EQ(found.accepted, requirements_of_figure_2);
  EXPECT_EQ(found.rejected, (std::set<Pair>{Pair{l4a, l2a}, Pair{l4b, l2b}}));
}

/// A lock that is held all the time between two lines keeps others out (AC2 and AC3).
TEST(Estimation, LeavesOutWhatACommonLockPrevents) {
  WrittenRun run;
  run.create(0, 1).create(0, 2);
  run.lock(1, n, 10).lock(1, m, 11).unlock(1, m).lock(1, m, 12).unlock(1, m).unlock(1, n);
  run.lock(2, n, 20).lock(2, m, 21).unlock(2, m).unlock(2, n);
  const Estimated found = run.estimate();
  EXPECT_TRUE(found.accepted.contains({12, 21}));
  EXPECT_TRUE(found.accepted.contains({21, 11}));
  EXPECT_FALSE(found.accepted.contains({11, 21}));  // AC2: n is held from 11 to 12
  EXPECT_FALSE(found.accepted.contains({21, 12}));  // AC3
  EXPECT_TRUE(found.rejected.contains({11, 21}));
}

/// The lock is given back between: then others can come in.
TEST(Estimation, KnowsThatALockWasGivenBack) {
  WrittenRun run;
  run.create(0, 1).create(0, 2);
  run.lock(1, n, 10).lock(1, m, 11).unlock(1, m).unlock(1, n);
  run.lock(1, n, 13).lock(1, m, 12).unlock(1, m).unlock(1, n);
  run.lock(2, n, 20).lock(2, m, 21).unlock(2, m).unlock(2, n);
  EXPECT_TRUE(run.estimate().accepted.contains({11, 21}));
}

/// AC4: what a thread does before it starts another one comes before all that this one does, and its children.
TEST(Estimation, KnowsWhoStartedWhom) {
  WrittenRun run;
  run.lock(0, m, 1).unlock(0, m).create(0, 1).lock(0, m, 2).unlock(0, m);
  run.create(1, 2).lock(2, m, 3).unlock(2, m);
  const Estimated found = run.estimate();
  EXPECT_EQ(found.accepted, (std::set<Pair>{Pair{1, 2}, Pair{1, 3}, Pair{2, 3}, Pair{3, 2}}));
}

TEST(Estimation, CanUseThatThreadsWereJoined) {
  WrittenRun run;
  run.create(0, 1).lock(1, m, 1).unlock(1, m).join(0, 1).lock(0, m, 2).unlock(0, m);
  EXPECT_TRUE(run.estimate().accepted.contains({2, 1}));
  EXPECT_FALSE(run.estimate(true).accepted.contains({2, 1}));
  EXPECT_TRUE(run.estimate(true).accepted.contains({1, 2}));
}

const int variable_x = 0;
const void* const x = &variable_x;

/// Thread 1 writes twice in one critical section, thread 2 reads and writes in another.
WrittenRun guarded_accesses() {
  WrittenRun run;
  run.create(0, 1).create(0, 2);
  run.lock(1, m, 10).write(1, x, 11).write(1, x, 12).unlock(1, m);
  run.lock(2, m, 20).read(2, x, 21).write(2, x, 22).unlock(2, m);
  return run;
}

TEST(Estimation, OfDefinitionsAndUsesKnowsCriticalSections) {
  const Estimated found = guarded_accesses().estimate_with(*make_def_use_pairs());
  EXPECT_EQ(found.accepted, (std::set<Pair>{Pair{12, 21}}));
  EXPECT_EQ(found.rejected, (std::set<Pair>{Pair{11, 21}}));
}

TEST(Estimation, OfStatementsKnowsCriticalSections) {
  const Estimated found = guarded_accesses().estimate_with(*make_statement_pairs());
  EXPECT_EQ(found.accepted, (std::set<Pair>{Pair{12, 21}, Pair{22, 11}}));
}

/// A use between two definitions of its own thread can come after one of another thread, if no lock is held all along.
TEST(Estimation, OfUsesBetweenDefinitions) {
  WrittenRun run;
  run.create(0, 1).create(0, 2);
  run.write(1, x, 1).read(1, x, 2).write(1, x, 3);
  run.write(2, x, 4);
  EXPECT_EQ(run.estimate_with(*make_def_use_pairs()).accepted, (std::set<Pair>{Pair{4, 2}}));
}

TEST(Covering, OfAccessesLeavesOutLibraries) {
  WrittenRun run;
  run.create(0, 1).create(0, 2);
  run.write(1, x, 5).read(2, x, library_location).read(2, x, 6).write(1, x, library_location).read(2, x, 7);
  EXPECT_EQ(run.covered(make_def_use_pairs()), (std::set<Pair>{Pair{5, 6}}));
  EXPECT_EQ(run.covered(make_statement_pairs()), (std::set<Pair>{}));
  EXPECT_TRUE(run.estimate_with(*make_def_use_pairs()).accepted.contains({5, 7}));
  EXPECT_FALSE(run.estimate_with(*make_def_use_pairs()).accepted.contains({library_location, 7}));
}

TEST(LastActions, AreThoseOfTheRun) {
  LastActions last;
  std::vector<char> objects(1'000);
  for (int run = 0; run < 3; ++run) {
    last.begin_run();
    for (std::size_t i = 0; i < objects.size(); ++i) {
      EXPECT_EQ(last.find(&objects[i]), nullptr);
      last.set({&objects[i], 1, static_cast<Location>(i)});
      last.set({&objects[i], 2, static_cast<Location>(i + 1)});
    }
    for (std::size_t i = 0; i < objects.size(); ++i) {
      ASSERT_NE(last.find(&objects[i]), nullptr);
      EXPECT_EQ(last.find(&objects[i])->location, i + 1);
      EXPECT_EQ(last.find(&objects[i])->thread, 2);
    }
  }
}

TEST(Covering, IsTakingALockNext) {
  EXPECT_EQ(figure_2().covered(), (std::set<Pair>{Pair{l2a, l4a}, Pair{l4a, l2b}, Pair{l2b, l4b}}));
}

TEST(Covering, OfBlockingPairsIsHavingToWait) {
  WrittenRun run;
  run.create(0, 1).create(0, 2);
  run.lock(1, m, 1).unlock(1, m).lock(2, m, 2).unlock(2, m);
  EXPECT_EQ(run.covered(make_blocking_pairs()), (std::set<Pair>{Pair{1, 2}}));
  WrittenRun later;
  later.create(0, 1).lock(1, m, 1).unlock(1, m).create(0, 2).lock(2, m, 2).unlock(2, m);
  EXPECT_TRUE(later.covered(make_blocking_pairs()).empty());
}

Requirements uncovered(const std::set<Pair>& pairs) {
  Requirements requirements;
  for (const Pair& pair : pairs) requirements.add(pair, true);
  return requirements;
}

constexpr ThreadId a = 1;
constexpr ThreadId b = 2;
const Action at_2a{a, true, m, l2a};
const Action at_3a{a, false, m, 31};
const Action at_4a{a, true, m, l4a};
const Action at_2b{b, true, m, l2b};

using Enabled = std::vector<Action>;

/// The loop iterations 1 to 6 of section 2.4, if the choices that are free there are made as they are there.
bool goes_as_in_the_paper(std::uint64_t seed) {
  Requirements requirements = uncovered(requirements_of_figure_2);
  Controller controller(true);
  controller.begin_run(seed);
  const auto none_executed = [&](const Enabled& enabled) { return !controller.iterate(enabled, requirements); };
  const auto paused = [&] { return std::pair(controller.is_paused(a), controller.is_paused(b)); };

  if (!none_executed({at_2a, at_2b}) || paused() != std::pair(true, false)) return false;  // iteration 1
  if (!none_executed({at_2a, at_2b}) || paused() != std::pair(false, true)) return false;  // 2: rule 2 resumes 2a
  if (controller.iterate(Enabled{at_2a, at_2b}, requirements) != 0U) return false;         // 3: 2a is executed
  controller.happened(a, m, l2a);
  if (controller.iterate(Enabled{at_3a, at_2b}, requirements) != 0U) return false;  // 4: 3a is no lock action
  // 5: rule 1 resumes 2b, and not 4a, which it could as well.
  if (!none_executed({at_4a, at_2b}) || paused() != std::pair(true, false)) return false;
  EXPECT_EQ(controller.iterate(Enabled{at_4a, at_2b}, requirements), 1U);  // 6: 2b is executed
  EXPECT_EQ(controller.completes(at_2b), Pair(l2a, l2b));
  EXPECT_EQ(controller.rules_used(), (std::array<std::uint64_t, 3>{1, 1, 0}));
  return true;
}

TEST(Controller, GoesThroughThePapersExample) {
  unsigned found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) found += goes_as_in_the_paper(seed) ? 1 : 0;
  EXPECT_GT(found, 0U);
}

/// The second example of section 2.4: 2b has one relevant requirement, 2a has two.
TEST(Controller, ResumesTheLeastUsefulByRule3) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Requirements requirements = uncovered({{l2a, l4b}, {l4a, l2b}, {l4b, l2a}});
    EXPECT_EQ(requirements.relevant(l2a), 2U);
    EXPECT_EQ(requirements.relevant(l2b), 1U);
    Controller controller(true);
    controller.begin_run(seed);
    EXPECT_EQ(controller.decide(Enabled{at_2a, at_2b}, requirements), 1U);
    EXPECT_TRUE(controller.is_paused(a));
    EXPECT_EQ(controller.rules_used(), (std::array<std::uint64_t, 3>{0, 0, 1}));
  }
}

TEST(Controller, WithoutRule3ResumesAny) {
  std::set<std::size_t> chosen;
  const Requirements requirements = uncovered({{l2a, l4b}, {l4a, l2b}, {l4b, l2a}});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Controller controller(false);
    controller.begin_run(seed);
    chosen.insert(controller.decide(Enabled{at_2a, at_2b}, requirements));
  }
  EXPECT_EQ(chosen, (std::set<std::size_t>{0U, 1U}));
}

/// Line 10: whoever wants the lock of a paused thread waits as well.
TEST(Controller, PausesWhoeverWantsTheSameLock) {
  const Requirements requirements = uncovered({{l2a, l4a}});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Controller controller(true);
    controller.begin_run(seed);
    const Action other{3, false, n, 0};
    while (!controller.is_paused(a)) controller.iterate(Enabled{at_2a, other}, requirements);
    for (int i = 0; i < 50; ++i) controller.iterate(Enabled{at_2a, at_2b, other}, requirements);
    EXPECT_TRUE(controller.is_paused(b));
  }
}

TEST(Controller, GoesOnWhenTheLastThreadThatWasNotPausedHasEnded) {
  const Requirements requirements = uncovered({{l2a, l4a}});
  Controller controller(true);
  controller.begin_run(1);
  const Action other{3, false, n, 0};
  while (!controller.is_paused(a)) controller.iterate(Enabled{at_2a, other}, requirements);
  EXPECT_EQ(controller.decide(Enabled{at_2a}, requirements), 0U);
}

TEST(Requirements, AreCoveredForTheTimeOfARun) {
  Requirements requirements = uncovered({{1, 2}, {2, 1}, {1, 1}});
  EXPECT_EQ(requirements.relevant(1), 3U);
  requirements.cover_for_now({1, 2});
  EXPECT_FALSE(requirements.is_uncovered({1, 2}));
  EXPECT_EQ(requirements.relevant(1), 2U);
  requirements.end_run();
  EXPECT_TRUE(requirements.is_uncovered({1, 2}));
  requirements.cover({1, 2}, 7);
  requirements.cover({5, 700}, 8);  // nobody estimated it
  requirements.end_run();
  EXPECT_FALSE(requirements.is_uncovered({1, 2}));
  EXPECT_EQ(requirements.covered(), 2U);
  EXPECT_EQ(requirements.estimated(), 3U);
  EXPECT_EQ(requirements.all().size(), 4U);
  EXPECT_EQ(requirements.all().at({1, 2}).covered_in, 7U);
}

TEST(Saturation, IsWhenGrowthExplainsNothing) {
  EXPECT_DOUBLE_EQ(r_squared(std::vector<double>{1, 2, 3, 4}), 1);
  EXPECT_DOUBLE_EQ(r_squared(std::vector<double>{4, 4, 4, 4}), 0);
  EXPECT_NEAR(r_squared(std::vector<double>{1, 3, 2, 5, 4}), 0.64, 1e-9);
  const std::vector<double> growing{1, 2, 3, 4, 5, 6};
  const std::vector<double> grown{1, 5, 9, 9, 9, 9};
  EXPECT_FALSE(is_saturated(growing, 4, 0.1));
  EXPECT_TRUE(is_saturated(grown, 4, 0.1));
  EXPECT_FALSE(is_saturated(grown, 0, 0.1));   // never
  EXPECT_FALSE(is_saturated(grown, 10, 0.1));  // too early to say
}

TEST(Saturation, EndsWhatNothingElseEnds) {
  Options options;
  EXPECT_GT(saturation_window(options), 0U);
  options.max_executions = 10;
  EXPECT_EQ(saturation_window(options), 0U);
  options.saturation = 50;
  EXPECT_EQ(saturation_window(options), 50U);
}

}  // namespace
}  // namespace norn::coverage
