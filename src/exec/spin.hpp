#pragma once

#include <cstdint>

#include "exec/snapshot.hpp"
#include "exec/thread.hpp"

namespace norn::exec {

/// Finds out whether a thread goes round in circles: it has come back to an operation with all of its registers, its
/// stack and all memory as they were the last time, and no other thread has run in between. Then it will do so for
/// ever, until another thread changes something that it looks at.
class SpinDetector {
 public:
  explicit SpinDetector(const Snapshot& snapshot) : snapshot_(snapshot) {}

  /// `thread` is about to do its pending operation, as event number `step`; `switches` counts how often threads have
  /// taken turns. True if it spins: then its round began at event `thread.spin.round`. (Numbers that count must not lie
  /// on the stack while it is looked at, so `step` is a reference.)
  bool spins(Thread& thread, const std::uint32_t& step, std::uint64_t switches, std::span<const Thread> threads) const {
    SpinMark& mark = thread.spin;
    const bool alone = mark.switches == switches;
    const bool back = mark.site == thread.pending.site && mark.object == thread.pending.object;
    if (alone && back) return compare(thread, step, threads);
    if (!alone || step - mark.first >= rounds_watched)
      mark = {thread.pending.site, thread.pending.object, switches, step, step};
    return false;
  }

 private:
  /// A mark that a thread has not come back to for so many events is not part of a loop.
  static constexpr std::uint32_t rounds_watched = 64;

  [[gnu::noinline]] bool compare(Thread& thread, const std::uint32_t& step, std::span<const Thread> threads) const;
  std::uint64_t memory(const Thread& thread, std::span<const Thread> threads) const;

  const Snapshot& snapshot_;
};

}  // namespace norn::exec
