// Depth-first search with a bound on preemptions: M. Musuvathi, S. Qadeer, "Iterative context bounding for systematic
// testing of multithreaded programs", PLDI 2007.
//
// After its prefix a run never preempts, so all preemptions of a run are in the prefix, and each run differs from the
// one it was derived from in the last choice of its prefix. Which of several alternatives a thread takes is no
// preemption, and neither is a change of thread where the last one cannot go on; these cost nothing.

#include "explore/bounded.hpp"

#include "explore/preemption.hpp"

namespace norn {

bool BoundedSearch::next(Prefix& prefix) {
  if (!search_.next(prefix, most_events_)) return false;
  preemptions_ = search_.preemptions();
  return true;
}

std::size_t BoundedSearch::choose(const FreeChoice& at) {
  return at.step < most_events_ ? without_preemption(at) : at.enabled.size();
}

void BoundedSearch::learn(const Trace& trace) {
  auto choices = trace.choices;
  ThreadId last = trace.prefix == 0 ? no_thread : trace.events[trace.prefix - 1].thread;
  for (const Event& event : trace.events.subspan(trace.prefix)) {
    add({event.thread, event.alternative}, last, choices.first(event.enabled));
    last = event.thread;
    choices = choices.subspan(event.enabled);
  }
  search_.end_run();
}

void BoundedSearch::add(Choice chosen, ThreadId last, std::span<const Choice> enabled) {
  const bool could_go_on = can_move(last, enabled);
  // In reverse, so that they are tried in order.
  for (std::size_t i = enabled.size(); i-- > 0;) {
    if (enabled[i] == chosen) continue;
    if (preemptions_ == bound_ && could_go_on && enabled[i].thread != last)
      pruned_ = true;
    else
      search_.leave(enabled[i]);
  }
  search_.add(chosen, preemptions_, could_go_on ? last : no_thread);
}

}  // namespace norn
