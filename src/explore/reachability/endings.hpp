#pragma once

// Runs that end while threads are still there. How it is done: docs/reachability.md.

#include <vector>

#include "explore/reachability/variant.hpp"
#include "explore/strategy.hpp"

namespace norn::reachability {

/// Whether an event ended the run while there were other threads.
bool ended_early(const Trace& trace);

/// What is left of a sequence that was ended by an event if events are left out that this one does not need: every
/// part of it that has, with an event, all that happened before it.
class Cuts {
 public:
  Cuts() = default;
  /// `black` events of each thread must stay.
  Cuts(const SynSequence& sequence, const std::vector<Clock>& black, const Trace& trace);

  /// Goes to the next one; false if there is none.
  bool next(const SynSequence& sequence);
  /// The choices that exercise it, the end included.
  [[nodiscard]] Prefix schedule() const;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(least_, all_, cut_, begun_, threads_, alternatives_);
  }

 private:
  [[nodiscard]] bool increment(const SynSequence& sequence, std::size_t thread);

  std::vector<Clock> least_;  ///< so many events of each thread there are in every cut
  std::vector<Clock> all_;    ///< and so many there were
  std::vector<Clock> cut_;
  bool begun_ = false;
  std::vector<ThreadId> threads_;  ///< of the events of the run
  std::vector<std::uint16_t> alternatives_;
};

/// What a row of the race table means if one of its changes is known to end the run: then it is a change of its
/// object, and nothing else ends the run. Empty if that is not possible.
std::vector<Change> with_one_end(SynSequence& sequence, std::vector<Change> row);

/// The event that a change makes another one.
Step step_of(const SynSequence& sequence, const Change& change);

}  // namespace norn::reachability
