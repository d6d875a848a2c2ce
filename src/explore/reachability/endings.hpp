#pragma once

// Runs that end while threads are still there. How it is done: docs/reachability.md.

#include <vector>

#include "explore/reachability/variant.hpp"
#include "explore/strategy.hpp"

namespace norn::reachability {

/// Whether an event ended the run, and not that nobody could move any more.
bool ended_early(const Trace& trace);

/// The choices that there were when the last event was chosen, but not this one.
std::vector<Choice> choices_besides_last(const Trace& trace);
/// What a thread was about to do before the last event, which may have woken it.
Pending pending_before_last(const Trace& trace, ThreadId thread);

/// What is left of a sequence that was ended by a step if events are left out that this step does not need: every
/// part of it that has, with an event, all that the event needs.
class Cuts {
 public:
  Cuts() = default;
  /// Of a sequence that has an end; `black` events of each thread must stay.
  Cuts(const SynSequence& sequence, const std::vector<Clock>& black, std::span<const Event> events);

  /// Goes to the next one; false if there is none.
  bool next(const SynSequence& sequence);
  /// The choices that exercise it, the end included.
  [[nodiscard]] Prefix schedule(const SynSequence& sequence) const;

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

/// The step that is another one if a receiving event is synchronized with this.
Ending step_of(const Receiving& r, const Sending& s);

/// The same changes with each of the endings that are new and can still end the run.
std::vector<Changes> with_ends(const SynSequence& sequence, const Changes& changes);

/// What a row of the race table means if one of its changes is known to end the run: nothing if there is another end.
std::optional<std::vector<Change>> with_one_end(const SynSequence& sequence, std::vector<Change> row);
/// Whether one is.
bool has_end(const SynSequence& sequence, const std::vector<Change>& row);

}  // namespace norn::reachability
