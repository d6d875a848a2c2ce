// Which lines of the source operations come from.

#include "exec/backtrace.hpp"
#include "exec/scheduler.hpp"
#include "support/address.hpp"

namespace norn::exec {
namespace {

/// The first of these addresses that is in the user's own code.
Location first_line(Locations& locations, std::span<const void* const> addresses) {
  for (const void* address : addresses) {
    if (address == nullptr) break;
    const Location location = locations.of(number(address));
    if (location == Locations::unknown) locations.ask(number(address));
    if (location != Locations::library) return location;
  }
  return Locations::library;
}

}  // namespace

void Scheduler::annotate(Thread& self) {
  if (detailed_) note_stack(self);
  if (locates_) self.pending_location = locate(self);
}

/// Follows the frame pointers, which the program's own code keeps: unwinding at every operation would be slow.
Location Scheduler::locate(const Thread& self) {
  constexpr unsigned deepest = 32;
  constexpr std::uintptr_t saved_frame_pointer = 16;  // below the program's part of the stack
  std::uintptr_t frame = *reinterpret_cast<const std::uintptr_t*>(number(self.program_frame) - saved_frame_pointer);
  const void* address = self.pending.site;
  for (unsigned i = 0; i < deepest; ++i) {
    if (const Location found = first_line(record_.locations, {&address, 1}); found != Locations::library) return found;
    if (in_compiler_library(address)) break;
    const bool is_on_stack = frame >= number(self.program_frame) && frame + 16 <= number(self.seat.stack_top);
    if (!is_on_stack || frame % sizeof(void*) != 0) break;
    address = reinterpret_cast<const void* const*>(frame)[1];
    frame = *reinterpret_cast<const std::uintptr_t*>(frame);
  }
  CallStack stack;
  capture_stack(stack);
  return first_line(record_.locations, stack.frames);
}

}  // namespace norn::exec
