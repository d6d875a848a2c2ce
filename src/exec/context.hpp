#pragma once

#include <cstdint>

#include "exec/floating_point.hpp"

namespace norn::exec {

extern "C" {
/// Whether a switch also keeps what has been raised with x87 instructions (exec/floating_point.hpp).
extern bool norn_keeps_status;
/// Saves the registers that a call must preserve, and how the thread computes, on the current stack and its end in
/// `*save`, then goes on from `stack_pointer` with the thread control block `tcb`.
void norn_switch_context(void** save, void* stack_pointer, std::uintptr_t tcb);
/// The same on a stack whose end nobody will need again.
[[noreturn]] void norn_load_context(void* stack_pointer, std::uintptr_t tcb);
/// Calls `function`; whoever goes on from `*save` later, with all of this stack as it is now, returns from here again.
void norn_mark_context(void** save, void (*function)(void*), void* argument);
/// Calls `function` with r15, r14, r13, r12 and rbx in memory.
std::uint64_t norn_with_registers(std::uint64_t (*function)(const void* registers));
/// Clears the stack below the caller's frame: down to `lowest`, and on until half a kilobyte was clear already, but
/// never below `limit`.
void norn_clear_stack(std::uintptr_t lowest, std::uintptr_t limit);
/// Calls `function` on the empty stack that ends at `stack_top`.
void norn_on_stack(void* stack_top, void (*function)(void*), void* argument);
/// Goes on in `entry` on the empty stack that ends at `stack_top`.
[[noreturn]] void norn_enter(void* stack_top, void (*entry)());
}

/// Lays out the stack that ends at `top` so that switching to the result begins `entry`, which computes in that way.
void* initial_stack(void* top, void (*entry)(), const FloatingPoint& floating_point);

inline std::uintptr_t read_tcb() {
  std::uintptr_t tcb;
  asm volatile("rdfsbase %0" : "=r"(tcb));
  return tcb;
}

}  // namespace norn::exec
