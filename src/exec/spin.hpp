#pragma once

#include <cstdint>
#include <span>

#include "exec/snapshot.hpp"
#include "exec/thread.hpp"

namespace norn::exec {

/// Finds out whether a thread goes round in circles: it has come back to an operation with its registers, its stack and
/// all memory as they were the last time, and no other thread has changed a synchronization object in between. Then it
/// will do so for ever, until another thread changes something that it looks at.
class SpinDetector {
 public:
  explicit SpinDetector(const Snapshot& snapshot) : snapshot_(snapshot) {}

  /// `thread` is about to do its pending operation, as event number `step`; `changes` counts what other threads
  /// changed. True if it spins: then its round began at event `thread.spin.round`.
  bool spins(Thread& thread, std::uint32_t step, std::uint64_t changes, std::span<const Thread> threads) const {
    SpinMark& mark = thread.spin;
    const bool undisturbed = mark.changes == changes;
    const bool back = mark.site == thread.pending.site && mark.object == thread.pending.object;
    if (undisturbed && back) return compare(thread, step, threads);
    if (!undisturbed || ++mark.age > longest_round)
      mark = {thread.pending.site, thread.pending.object, changes, 0, step, 0, 0, 0};
    return false;
  }

 private:
  /// A mark that a thread has not come back to for so many of its events is not part of a loop.
  static constexpr std::uint32_t longest_round = 64;

  bool compare(Thread& thread, std::uint32_t step, std::span<const Thread> threads) const;
  std::uint64_t memory(const Thread& thread, std::span<const Thread> threads) const;

  const Snapshot& snapshot_;
};

}  // namespace norn::exec
