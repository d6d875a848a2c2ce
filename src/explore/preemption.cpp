#include "explore/preemption.hpp"

#include <fmt/format.h>

namespace norn {

std::string beyond_preemptions(int bound) {
  return fmt::format("only behaviours with at most {} preemption{} were explored (--preemptions)", bound,
                     bound == 1 ? "" : "s");
}

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
