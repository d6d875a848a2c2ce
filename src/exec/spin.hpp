#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/snapshot.hpp"
#include "exec/thread.hpp"

namespace norn::exec {

/// Finds out whether a thread goes round in circles: it has come back to an operation with its registers, its stack and
/// all memory as they were the last time, and no other thread has changed a synchronization object in between. Then it
/// will do so for ever, until another thread changes something that it looks at. That time has passed is no difference.
class SpinDetector {
 public:
  explicit SpinDetector(const Snapshot& snapshot) : snapshot_(snapshot) {}

  /// `thread` is about to do its pending operation, as event number `step`; `changes` counts what other threads
  /// changed. True if it spins: then its round began at event `thread.spin.round`.
  bool spins(Thread& thread, std::uint32_t step, std::uint64_t changes, std::span<const Thread> threads) const {
    SpinMark& mark = thread.spin;
    const bool undisturbed = mark.changes == changes;
    const bool back = mark.site == thread.pending.site && mark.object == thread.pending.object;
    // Where it holds the fewest locks, so that it keeps them from nobody while it is blocked.
    const bool holds_less = thread.held.size() < mark.held;
    if (undisturbed && back && !holds_less) return compare(thread, step, threads);
    if (!undisturbed || holds_less || ++mark.age > mark.limit) set_mark(thread, step, changes, undisturbed);
    return false;
  }

 private:
  /// A mark that a thread does not come back to moves on, after twice as many events each time (Brent): so it gets
  /// into the loop, and the loop can be long.
  static constexpr std::uint32_t first_limit = 2;
  static constexpr std::uint32_t longest_round = 4096;

  static void set_mark(Thread& thread, std::uint32_t step, std::uint64_t changes, bool undisturbed);
  bool compare(Thread& thread, std::uint32_t step, std::span<const Thread> threads) const;
  std::uint64_t memory(const Thread& thread, std::span<const Thread> threads, std::uint64_t clock) const;

  const Snapshot& snapshot_;
};

/// Finds out whether a run has come back to a state that it was in. Threads that take a lock, fail to get another one
/// and give up the first can do so in step with each other for ever; but whatever can follow the second time could
/// follow the first time already. States are compared where threads try again.
class RoundDetector {
 public:
  explicit RoundDetector(const Snapshot& snapshot) : snapshot_(snapshot) {}

  void begin_run() {
    watching_ = trying_ = false;
    states_.clear();
  }
  /// False until a thread tries something in this run.
  [[nodiscard]] bool watching() const { return watching_; }
  /// `thread` is about to try something.
  void tries(Thread& thread) {
    watching_ = trying_ = true;
    ++thread.tries;
  }
  /// `thread` is about to do its pending operation. True if the run has been in this state.
  bool is_back(Thread& thread, std::span<const Thread> threads);

 private:
  [[nodiscard]] std::uint64_t state(std::span<const Thread> threads, std::uint64_t clock) const;

  const Snapshot& snapshot_;
  bool watching_ = false;
  bool trying_ = false;  ///< the operation that is about to be performed is one that tries
  std::vector<std::uint64_t> states_;
};

}  // namespace norn::exec
