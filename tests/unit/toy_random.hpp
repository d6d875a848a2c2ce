#pragma once

// Small random programs with bugs, and all their schedules, found by plain recursion: what searches are compared with.

#include "support/random.hpp"
#include "toy_program.hpp"

namespace norn::test {

/// The operation of a thread that comes so many operations after its first.
struct Point {
  std::size_t thread;
  std::size_t operation;
};

/// A bug that shows as soon as every `before` has happened before its `after`, and where `alternative` counts, an
/// operation with several outcomes had this one.
struct ToyBug {
  struct Order {
    Point before;
    Point after;
  };
  std::vector<Order> orders;
  std::uint16_t alternative = 0;  ///< 0: none
  Point chosen{};

  [[nodiscard]] bool shows(const Schedule& schedule) const {
    for (const Order& order : orders)
      if (position(schedule, order.after) == schedule.size() ||
          position(schedule, order.before) > position(schedule, order.after))
        return false;
    if (alternative == 0) return true;
    const std::size_t at = position(schedule, chosen);
    return at < schedule.size() && schedule[at].alternative == alternative;
  }

 private:
  /// Where an operation happened; the size of the schedule if it did not.
  static std::size_t position(const Schedule& schedule, Point point) {
    std::size_t at = 0;
    for (; at < schedule.size(); ++at)
      if (schedule[at].thread == point.thread && point.operation-- == 0) break;
    return at;
  }
};

struct BuggyToy {
  ToyProgram program;
  ToyBug bug;

  [[nodiscard]] ToyRunner runner() const {
    ToyRunner runner(program);
    runner.fails = [bug = bug](const Schedule& schedule, Outcome& outcome) {
      if (!bug.shows(schedule)) return false;
      outcome.end = End::assertion;
      outcome.set_message("the order is wrong");
      return true;
    };
    return runner;
  }
};

inline Point random_point(const ToyProgram& program, SplitMix64& random) {
  const std::size_t thread = random.below(program.size());
  return {thread, random.below(program[thread].size())};
}

/// Two or three threads of one to four operations: updates, sections with a lock, sometimes signals with alternatives.
inline BuggyToy random_toy(std::uint64_t seed) {
  SplitMix64 random(seed);
  BuggyToy toy;
  const std::size_t threads = 2 + random.below(2);
  for (std::size_t i = 0; i < threads; ++i) {
    ToyThread thread;
    const std::size_t length = 1 + random.below(threads == 2 ? 5 : 3);
    while (thread.size() < length) {
      const int object = static_cast<int>(random.below(2));
      switch (random.below(6)) {
        case 0: thread.insert(thread.end(), {lock(object), unlock(object)}); break;
        case 1: thread.insert(thread.begin(), lock(object)), thread.push_back(unlock(object)); break;
        case 2: thread.push_back({Op::condition_signal, object, Effect::write, {1, 2}}); break;
        default: thread.push_back(update(object));
      }
    }
    toy.program.push_back(thread);
  }
  for (std::size_t i = 1 + random.below(3); i > 0; --i)
    toy.bug.orders.push_back({random_point(toy.program, random), random_point(toy.program, random)});
  const Point chosen = random_point(toy.program, random);
  if (toy.program[chosen.thread][chosen.operation].alternatives.size() > 1) {
    toy.bug.alternative = static_cast<std::uint16_t>(1 + random.below(2));
    toy.bug.chosen = chosen;
  }
  return toy;
}

/// One run of a program, however it ends.
struct ToyRun {
  Schedule schedule;
  unsigned preemptions;
  End end;
};

inline void enumerate(const BuggyToy& toy, const ToyState& state, ToyRun& run, std::vector<ToyRun>& all) {
  const auto enabled = state.enabled(toy.program);
  const bool fails = toy.bug.shows(run.schedule);
  if (fails || enabled.empty()) {
    run.end = fails ? End::assertion : state.finished(toy.program) ? End::finished : End::deadlock;
    all.push_back(run);
    return;
  }
  for (const Choice& choice : enabled) {
    bool preempts = false;
    for (const Choice& other : enabled)
      preempts |= !run.schedule.empty() && other.thread == run.schedule.back().thread && other.thread != choice.thread;
    ToyState next = state;
    next.move(toy.program, choice.thread);
    run.schedule.push_back(choice);
    run.preemptions += preempts ? 1 : 0;
    enumerate(toy, next, run, all);
    run.schedule.pop_back();
    run.preemptions -= preempts ? 1 : 0;
  }
}

/// Every run there is.
inline std::vector<ToyRun> all_runs(const BuggyToy& toy) {
  std::vector<ToyRun> all;
  ToyRun run{};
  enumerate(toy, ToyState(toy.program), run, all);
  return all;
}

}  // namespace norn::test
