#include "explore/preemption.hpp"

namespace norn {

unsigned preemptions(const Trace& trace) {
  unsigned count = 0;
  ThreadId last = no_thread;
  auto choices = trace.choices;
  for (const Event& event : trace.events) {
    count += is_preemption(last, event.thread, choices.first(event.enabled));
    last = event.thread;
    choices = choices.subspan(event.enabled);
  }
  return count;
}

}  // namespace norn
