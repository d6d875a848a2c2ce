// Which lines of the source operations come from.

#include "exec/backtrace.hpp"
#include "exec/scheduler.hpp"
#include "support/address.hpp"

namespace norn::exec {
namespace {

/// Calls `visit` for the place of the pending operation and those of its callers until it returns false. Follows the
/// frame pointers, which the program's own code keeps: unwinding at every operation would be slow.
template <typename Visit>
void visit_callers(const Thread& self, const Visit& visit) {
  constexpr unsigned deepest = 32;
  constexpr std::uintptr_t saved_frame_pointer = 16;  // below the program's part of the stack
  std::uintptr_t frame = *reinterpret_cast<const std::uintptr_t*>(number(self.program_frame) - saved_frame_pointer);
  const void* address = self.pending.site;
  for (unsigned i = 0; i < deepest && address != nullptr; ++i) {
    if (!visit(number(address)) || in_compiler_library(address)) return;
    const bool is_on_stack = frame >= number(self.program_frame) && frame + 16 <= number(self.seat.stack_top);
    if (!is_on_stack || frame % sizeof(void*) != 0) return;
    address = reinterpret_cast<const void* const*>(frame)[1];
    frame = *reinterpret_cast<const std::uintptr_t*>(frame);
  }
}

void push_unwound(Locations::Stack& stack) {
  CallStack unwound;
  capture_stack(unwound);
  for (const void* address : unwound.frames) {
    if (address == nullptr) return;
    stack.push(number(address));
  }
}

}  // namespace

void Scheduler::annotate(Thread& self) {
  if (detailed_) note_stack(self);
  if (locates_) self.pending_location = locate(self);
}

Location Scheduler::locate(const Thread& self) {
  Locations& locations = record_.locations;
  Location found = Locations::library;
  visit_callers(self, [&](std::uintptr_t address) {
    found = locations.of(address);
    return found == Locations::library;
  });
  if (found != Locations::library && found != Locations::unknown) return found;
  Locations::Stack stack;
  if (found == Locations::unknown)
    visit_callers(self, [&stack](std::uintptr_t address) { return stack.push(address), true; });
  push_unwound(stack);
  found = locations.line_of(stack.all());
  return found == Locations::unknown ? locations.postpone(stack) : found;
}

}  // namespace norn::exec
