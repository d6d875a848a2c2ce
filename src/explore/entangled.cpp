#include "explore/entangled.hpp"

#include <algorithm>

namespace norn {
namespace {

/// Whether the process went on with visible operations, as destructors do, when it had begun to end. It ends after the
/// last of these, whatever others have done by then.
bool goes_on_after_exit(const Trace& trace) {
  const auto is_exit = [](const Event& event) { return event.op == Op::process_exit; };
  const auto exit = std::find_if(trace.events.begin(), trace.events.end(), is_exit);
  return exit != trace.events.end() && exit + 1 != trace.events.end();
}

}  // namespace

std::string_view why_entangled(const Trace& trace) {
  if (has(trace.entangled, Entangled::by_property)) return "a property is about what several threads do";
  if (has(trace.entangled, Entangled::by_robust)) return "threads end with robust mutexes that others try to lock";
  if (has(trace.entangled, Entangled::by_spurious)) return "threads share a number of spurious wake-ups";
  if (has(trace.entangled, Entangled::by_overlap)) return "atomic operations are about parts of the same bytes";
  if (has(trace.entangled, Entangled::by_last)) return "the last thread to end runs the exit handlers";
  if (goes_on_after_exit(trace)) return "threads go on while the process ends";
  return {};
}

}  // namespace norn
