#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/leftovers.hpp"
#include "exec/snapshot.hpp"
#include "exec/thread.hpp"
#include "exec/watch.hpp"

namespace norn::exec {

/// Finds out whether a thread has gone round a loop that waits: it has come back to a place (exec/loops.hpp) with its
/// registers, its stack and its thread-local variables as they were (except for what others changed there, and for what
/// is left over from before: exec/leftovers.hpp), and has changed nothing on the way. So the round is as if it had not
/// happened. This depends only on what the thread itself did and saw, never on what others did meanwhile, nor on what
/// Norn did on the same stack (exec/traces.hpp): it is the same in all runs that are equivalent.
class WaitDetector {
 public:
  WaitDetector(const Snapshot& snapshot, const Loops& loops, const Watch& watch)
      : snapshot_(snapshot), loops_(loops), watch_(watch) {}

  static constexpr std::uint32_t no_round = UINT32_MAX;
  /// `thread` is about to do its pending operation, as event number `step`. The event at which the round began that it
  /// has just finished, or `no_round`.
  std::uint32_t finished_round(Thread& thread, std::uint32_t step) {
    if (loops_.empty()) return no_round;
    thread.whereabouts = 0;
    return look_back(thread, step);
  }

 private:
  /// Of a longer round, only that it is a round is found out, by SpinDetector.
  static constexpr std::uint32_t longest_round = 1024;
  static constexpr std::uint32_t most_passed = 2 * longest_round;

  /// Where a thread is not as it was before, and it matters.
  struct Difference {
    enum class In : std::uint8_t { nothing, registers, stack } in = In::nothing;
    std::size_t index = 0;
  };

  std::uint32_t look_back(Thread& thread, std::uint32_t step);
  static void pass(Passed& passed, const Passed& now, StackPart stack);
  static bool differs(const Difference& at, const Passed& now, const Passed& then, StackPart stack);
  Difference difference(ThreadId thread, const Passed& now, const Passed& then, StackPart stack);
  Difference difference_of_stacks(ThreadId thread, const Passed& then, StackPart now);

  const Snapshot& snapshot_;
  const Loops& loops_;
  const Watch& watch_;
  Leftovers leftovers_;
};

/// Finds out whether a thread goes round in circles: it has come back to an operation with its registers, its stack and
/// all memory as they were the last time, and no other thread has changed a synchronization object in between. Then it
/// will do so for ever, until another thread changes something that it looks at. That time has passed is no difference.
class SpinDetector {
 public:
  SpinDetector(const Snapshot& snapshot, const Loops& loops) : snapshot_(snapshot), loops_(loops) {}

  /// `thread` is about to do its pending operation, as event number `step`; `changes` counts what other threads
  /// changed. True if it spins: then its round began at event `thread.spin.round`.
  bool spins(Thread& thread, std::uint32_t step, std::uint64_t changes, std::span<const Thread> threads) const {
    SpinMark& mark = thread.spin;
    const bool undisturbed = mark.changes == changes;
    const bool back = mark.site == thread.pending.site && mark.object == thread.pending.object &&
                      mark.op == thread.pending.op && mark.held == thread.held.size();
    // Where it holds the fewest locks, so that it keeps them from nobody while it is blocked.
    const bool holds_less = thread.held.size() < mark.held;
    if (undisturbed && back && !loops_.contains(thread.pending.place())) return compare(thread, step, threads);
    if (!undisturbed || holds_less || ++mark.age > mark.limit) set_mark(thread, step, changes, undisturbed);
    return false;
  }

 private:
  /// A mark that a thread does not come back to moves on, after twice as many events each time (Brent): so it gets
  /// into the loop, and the loop can be long.
  static constexpr std::uint32_t first_limit = 2;
  static constexpr std::uint32_t longest_round = 4096;

  void set_mark(Thread& thread, std::uint32_t step, std::uint64_t changes, bool undisturbed) const;
  void look_at_stack(Thread& thread, bool looks) const;
  bool compare(Thread& thread, std::uint32_t step, std::span<const Thread> threads) const;
  std::uint64_t memory(const Thread& thread, std::span<const Thread> threads, std::uint64_t clock) const;
  [[nodiscard]] std::uint64_t used_registers(const Thread& thread) const;
  [[nodiscard]] std::uint64_t used_stack(const Thread& thread) const;

  const Snapshot& snapshot_;
  const Loops& loops_;
  mutable Leftovers leftovers_;
  mutable std::vector<std::byte> used_;
};

/// Finds out whether a run has come back to a state that it was in. Threads that take a lock, fail to get another one
/// and give up the first can do so in step with each other for ever; but whatever can follow the second time could
/// follow the first time already. States are compared where threads try again.
class RoundDetector {
 public:
  explicit RoundDetector(const Snapshot& snapshot) : snapshot_(snapshot) {}

  struct State {
    bool watching = false;
    bool trying = false;  ///< the operation that is about to be performed is one that tries
    std::vector<std::uint64_t> states;
  };

  void begin_run() {
    state_.watching = state_.trying = false;
    state_.states.clear();
  }
  /// What it knows of the run at hand, for another one to go on from there.
  [[nodiscard]] const State& state() const { return state_; }
  void resume(const State& state) { state_ = state; }
  /// False until a thread tries something in this run.
  [[nodiscard]] bool watching() const { return state_.watching; }
  /// `thread` is about to try something.
  void tries(Thread& thread) {
    state_.watching = state_.trying = true;
    ++thread.tries;
  }
  /// `thread` is about to do its pending operation; `changes` counts what other threads changed. True if the run has
  /// been in this state. Whoever goes round while nobody disturbs it spins, and is none of this.
  bool is_back(Thread& thread, std::uint64_t changes, std::span<const Thread> threads);

 private:
  [[nodiscard]] std::uint64_t hash(std::span<const Thread> threads, std::uint64_t clock) const;

  const Snapshot& snapshot_;
  State state_;
};

}  // namespace norn::exec
