// The canonical form of a run against the definition: two runs are the same behaviour if every object saw its
// dependent operations in the same order.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "explore/fingerprints.hpp"
#include "support/random.hpp"
#include "toy_program.hpp"
#include "trace/canonical.hpp"

namespace norn::test {
namespace {

/// An operation of a run: the nth of its thread.
struct Step {
  std::size_t thread;
  std::size_t nth;
};

using Interleaving = std::vector<Step>;

std::vector<Event> events(const ToyProgram& program, const Interleaving& run) {
  std::vector<Event> result;
  for (const Step& step : run) {
    const ToyOperation& operation = program[step.thread][step.nth];
    result.push_back({static_cast<ThreadId>(step.thread), operation.alternatives[0], operation.op, operation.effect, 1,
                      false, false, false, ToyRunner::object(operation.object), nullptr, 0});
  }
  return result;
}

/// The definition, pair by pair: for any two dependent operations, which came first. It shares nothing with the hashes.
std::set<std::vector<std::size_t>> dependences(const ToyProgram& program, const Interleaving& run) {
  std::set<std::vector<std::size_t>> pairs;
  for (std::size_t i = 0; i < run.size(); ++i)
    for (std::size_t j = i + 1; j < run.size(); ++j) {
      const ToyOperation& a = program[run[i].thread][run[i].nth];
      const ToyOperation& b = program[run[j].thread][run[j].nth];
      const bool dependent = a.object == b.object && (a.effect == Effect::write || b.effect == Effect::write);
      if (dependent) pairs.insert({run[i].thread, run[i].nth, run[j].thread, run[j].nth});
    }
  return pairs;
}

ToyProgram random_program(SplitMix64& random) {
  ToyProgram program(1 + random.below(4));
  for (ToyThread& thread : program) {
    thread.resize(random.below(5));
    for (ToyOperation& operation : thread) {
      operation =
          random.below(2) == 0 ? load(static_cast<int>(random.below(3))) : update(static_cast<int>(random.below(3)));
      operation.alternatives = {static_cast<std::uint16_t>(random.below(2))};
    }
  }
  return program;
}

Interleaving random_run(const ToyProgram& program, SplitMix64& random) {
  Interleaving run;
  std::vector<std::size_t> done(program.size());
  std::size_t left = 0;
  for (const ToyThread& thread : program) left += thread.size();
  while (left > 0) {
    const std::size_t thread = random.below(program.size());
    if (done[thread] == program[thread].size()) continue;
    run.push_back({thread, done[thread]++});
    --left;
  }
  return run;
}

TEST(CanonicalForm, IsEqualExactlyForEquivalentRuns) {
  SplitMix64 random(2024);
  CanonicalForm canonical;
  std::size_t same = 0;
  std::size_t different = 0;
  for (int i = 0; i < 300; ++i) {
    const ToyProgram program = random_program(random);
    std::map<std::uint64_t, std::set<std::vector<std::size_t>>> classes;
    std::map<std::set<std::vector<std::size_t>>, std::uint64_t> fingerprints;
    for (int j = 0; j < 40; ++j) {
      const Interleaving run = random_run(program, random);
      const std::uint64_t fingerprint = canonical.fingerprint(events(program, run));
      const auto definition = dependences(program, run);
      const auto [of_class, new_class] = classes.try_emplace(fingerprint, definition);
      const auto [of_print, new_print] = fingerprints.try_emplace(definition, fingerprint);
      EXPECT_EQ(of_class->second, definition) << "equal fingerprints of runs that differ";
      EXPECT_EQ(of_print->second, fingerprint) << "different fingerprints of runs that are the same";
      same += !new_class;
      different += new_print && j > 0;
    }
  }
  // The test is worth something only if both happened often.
  EXPECT_GT(same, 1000U);
  EXPECT_GT(different, 1000U);
}

TEST(CanonicalForm, DependsOnWhatHappened) {
  const Event event{1, 0, Op::atomic_load, Effect::read, 1, false, false, false, ToyRunner::object(1), nullptr, 0};
  std::vector<Event> variants(5, event);
  variants[1].thread = 2;
  variants[2].op = Op::atomic_store;
  variants[3].alternative = 1;
  variants[4].object = ToyRunner::object(2);
  std::set<std::uint64_t> fingerprints;
  CanonicalForm canonical;
  for (const Event& variant : variants) fingerprints.insert(canonical.fingerprint({&variant, 1}));
  fingerprints.insert(canonical.fingerprint({}));
  fingerprints.insert(canonical.fingerprint(std::vector<Event>{event, event}));
  EXPECT_EQ(fingerprints.size(), 7U);
  // But not on where it was called from or how many other choices there were.
  Event elsewhere = event;
  elsewhere.site = &elsewhere;
  elsewhere.enabled = 7;
  elsewhere.value = 9;
  EXPECT_EQ(canonical.fingerprint({&elsewhere, 1}), canonical.fingerprint({&event, 1}));
}

/// A run that begins like the one before and goes on differently, over so many objects that old ones are forgotten.
std::vector<Event> changed_end(std::vector<Event> run, SplitMix64& random) {
  run.resize(random.below(run.size() + 1));
  const std::size_t length = run.size() + random.below(40);
  while (run.size() < length) {
    const bool reads = random.below(2) == 0;
    Event event{static_cast<ThreadId>(random.below(4)),
                0,
                reads ? Op::atomic_load : Op::atomic_update,
                reads ? Effect::read : Effect::write,
                1,
                false,
                random.below(8) == 0,
                false,
                ToyRunner::object(static_cast<int>(random.below(random.below(10) == 0 ? 5000 : 5))),
                nullptr,
                0};
    run.push_back(event);
  }
  return run;
}

TEST(CanonicalForm, DoesNotDependOnTheRunsBefore) {
  SplitMix64 random(7);
  CanonicalForm canonical;
  std::vector<Event> run;
  for (int i = 0; i < 3000; ++i) {
    run = changed_end(run, random);
    ASSERT_EQ(canonical.fingerprint(run), CanonicalForm().fingerprint(run)) << "run " << i;
  }
}

/// An exploration in which main's two children have these slots, and each has memory of its own there.
struct Descendants {
  ThreadId first;
  ThreadId second;
  std::vector<Identity> identities = std::vector<Identity>(3);
  std::vector<Home> homes = {{0x10000, 0x20000, 1}, {0x30000, 0x40000, 2}};

  Descendants(ThreadId one, ThreadId other) : first(one), second(other) {
    identities[first] = {main_thread, no_thread, no_thread, 1};
    identities[second] = {main_thread, no_thread, no_thread, 2};
  }
  [[nodiscard]] const void* own(ThreadId thread) const {
    return reinterpret_cast<const void*>(homes[thread - 1U].end - 0x100);
  }
  [[nodiscard]] std::uint64_t fingerprint(const std::vector<Event>& events) const {
    return CanonicalForm().fingerprint(events, identities, homes);
  }
};

Event by(ThreadId thread, Op op, const void* object, std::uint16_t alternative = 0) {
  return {thread, alternative, op, Effect::write, 1, false, false, false, object, nullptr, 0};
}

TEST(CanonicalForm, DoesNotDependOnSlots) {
  const void* global = reinterpret_cast<const void*>(0x50000);
  const auto run = [&](const Descendants& who, ThreadId sender, ThreadId owner, ThreadId ending) {
    return who.fingerprint({by(who.first, Op::atomic_store, who.own(owner)), by(who.second, Op::atomic_store, global),
                            by(who.second, Op::condition_signal, global, who.first),
                            by(main_thread, Op::receive, global, from_sender(sender, 3)),
                            by(ending, Op::thread_end, object_of_thread(ending))});
  };
  const Descendants one(1, 2);
  const Descendants other(2, 1);
  const std::uint64_t expected = run(one, one.second, one.first, one.first);
  EXPECT_EQ(run(other, other.second, other.first, other.first), expected);
  // What is different stays so.
  EXPECT_NE(run(other, other.first, other.first, other.first), expected);
  EXPECT_NE(run(other, other.second, other.second, other.first), expected);
  EXPECT_NE(run(other, other.second, other.first, other.second), expected);
}

TEST(CanonicalForm, ForgetsTheRunBefore) {
  SplitMix64 random(1);
  const ToyProgram program = random_program(random);
  const auto run = events(program, random_run(program, random));
  CanonicalForm used;
  used.fingerprint(events(independent({9, 9}), random_run(independent({9, 9}), random)));
  EXPECT_EQ(used.fingerprint(run), CanonicalForm().fingerprint(run));
}

TEST(CanonicalForm, HoldsManyObjects) {
  // Far more than its table has room for at first: forwards and backwards are the same, for all are independent.
  ToyProgram program(1000);
  for (int i = 0; i < 1000; ++i) program[i] = {update(i)};
  Interleaving forwards;
  for (std::size_t i = 0; i < 1000; ++i) forwards.push_back({i, 0});
  const Interleaving backwards(forwards.rbegin(), forwards.rend());
  EXPECT_EQ(CanonicalForm().fingerprint(events(program, forwards)),
            CanonicalForm().fingerprint(events(program, backwards)));
}

/// The number of behaviours among all interleavings.
std::int64_t behaviours(const ToyProgram& program) {
  Options options;
  options.strategy = "exhaustive";
  ToyRunner runner(program);
  return Explorer(options, runner).explore().distinct;
}

// The examples of the contract.
TEST(Behaviours, AreCountedAsTheContractSays) {
  EXPECT_EQ(behaviours({{update(), update()}, {update(), update()}, {update()}}), 30);  // 5!/(2! 2! 1!)
  EXPECT_EQ(behaviours({{update()}, {load()}, {load()}, {load()}}), 8);        // one writer, three readers: 2^3
  EXPECT_EQ(behaviours({{update(0)}, {load(0)}, {update(1)}, {load(1)}}), 4);  // two independent pairs: 2^2
  EXPECT_EQ(behaviours({{load(), load()}, {load(), load()}}), 1);
  EXPECT_EQ(behaviours({{update(0), update(0)}, {update(1), update(1)}}), 1);
  EXPECT_EQ(behaviours({}), 1);
}

TEST(Fingerprints, CountUpToTheirLimit) {
  Fingerprints fingerprints;
  Outcome outcome;
  const auto add = [&](std::size_t number) {
    const Event event{
        0,       0, Op::atomic_load, Effect::read, 1, false, false, false, reinterpret_cast<const void*>(number * 8),
        nullptr, 0};
    const Trace trace{{&event, 1}, 0, {}, 1, &outcome};
    number % 2 == 0 ? static_cast<void>(fingerprints.add(trace)) : fingerprints.add_later(trace);
  };
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < 5000; ++i) add(i);
  EXPECT_EQ(fingerprints.count(), 5000);
  for (std::size_t i = 0; i < Fingerprints::limit; ++i) add(i);
  EXPECT_EQ(fingerprints.count(), static_cast<std::int64_t>(Fingerprints::limit));
  add(Fingerprints::limit);
  EXPECT_EQ(fingerprints.count(), -1) << "too many, and said so";
}

}  // namespace
}  // namespace norn::test
