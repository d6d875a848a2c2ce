#include "exec/traces.hpp"

#include "exec/carrier.hpp"
#include "exec/context.hpp"
#include "exec/thread.hpp"
#include "support/address.hpp"

namespace norn::exec {

std::uintptr_t traces_limit = 0;

namespace {

/// Whether the caller is on the stack that ends at `limit`.
bool is_on_stack(std::uintptr_t limit) { return number(__builtin_frame_address(0)) - limit < stack_size; }

}  // namespace

std::uintptr_t traces_limit_of(const Thread& thread) {
  // A seat may claim somewhat more than its stack has, and there may be a guard at the end.
  constexpr std::uintptr_t distance_from_guard = std::uintptr_t{1} << 16;
  return number(thread.seat.stack_limit) + distance_from_guard;
}

void erase_traces() {
  if (is_on_stack(traces_limit)) norn_clear_stack(UINTPTR_MAX, traces_limit);
}

void erase_earlier_runs(const Thread& thread) {
  if (traces_limit != 0 && is_on_stack(traces_limit)) norn_clear_stack(thread.lowest_frame, traces_limit);
}

}  // namespace norn::exec
