// Two events in one step: a thread that waits on a condition gives back its mutex before anybody else moves.

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {

/// A thread that waits on a condition gives back its mutex in the same step. The step may overtake what is on the mutex
/// before any of the notifications that it does not need, or after the first of them, and so on: these stay before it.
void Dpor::find_for_step(const Frame& frame, const Candidate& candidate, Position unlock, std::uint64_t state) {
  const Position last = causality_.last_on(candidate.object);
  Clock* const past = before_wait_.data();
  races_.find(candidate, unlock - 1, last, past, state);
  earlier_.clear();
  const auto is_needed = [&](Position i) { return i == nowhere || knows(past, frame.nodes[i]); };
  for (Position i = frame.nodes[unlock - 1].previous; !is_needed(i); i = frame.nodes[i].previous) earlier_.push_back(i);
  for (std::size_t k = earlier_.size(); k-- > 0;) {
    const Position kept = earlier_[k];
    if (is_needed(kept)) continue;
    join_clocks(past, frame.row(kept), frame.width);
    races_.find(candidate, unlock - 1, last, past, state, frame.nodes[kept].stamp);
  }
}

}  // namespace norn::dpor
