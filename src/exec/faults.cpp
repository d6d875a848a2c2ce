#include "exec/faults.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>

#include "exec/backtrace.hpp"
#include "exec/context.hpp"
#include "exec/process_heap.hpp"
#include "exec/real.hpp"
#include "exec/scheduler.hpp"
#include "exec/snapshot.hpp"
#include "exec/watchdog.hpp"
#include "explore/explorer.hpp"

namespace norn::exec {
namespace {

constexpr std::array crash_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr std::size_t signal_stack_size = 64 << 10;

Snapshot* current_snapshot = nullptr;
std::array<struct sigaction, crash_signals.size()> previous_actions;
bool walking = false;

std::string_view signal_text(int signal) {
  switch (signal) {
    case SIGSEGV: return "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGFPE: return "arithmetic exception (division by zero or overflow)";
    case SIGILL: return "illegal instruction";
    case SIGTRAP: return "trap";
    case SIGABRT: return "a library has aborted the program";
    default: return "fatal signal";
  }
}

void leave_run() { scheduler->leave_after_fault(); }

/// When the handler returns, the kernel resumes the thread here: at the top of its stack, on its way to the driver.
void resume_in_driver(ucontext_t& context, const Thread& thread) {
  // A call has just happened as far as alignment is concerned.
  const auto top = (reinterpret_cast<std::uintptr_t>(thread.seat.stack_top) & ~std::uintptr_t{15}) - 8;
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top);
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(leave_run);
}

const void* faulting_instruction(const ucontext_t& context) {
  // One further, as a return address would be.
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP] + 1);
}

void walk_stack() {
  RunRecord& record = scheduler->record();
  record.failure_stack.frames[0] = nullptr;
  walking = true;
  capture_stack(record.failure_stack);
  walking = false;
}

std::string describe(int signal, const siginfo_t& info, const Thread& thread) {
  if (signal != SIGSEGV && signal != SIGBUS) return std::string(signal_text(signal));
  const auto* address = static_cast<const char*>(info.si_addr);
  const auto* limit = static_cast<const char*>(thread.seat.stack_limit);
  if (address >= limit - 65536 && address < limit + 65536) return "stack overflow";
  return fmt::format("{} at address {}", signal_text(signal), fmt::ptr(info.si_addr));
}

void fail(End end, const ucontext_t& context, std::string_view message) {
  Outcome& outcome = scheduler->record().outcome;
  outcome.end = end;
  outcome.thread = scheduler->current().id;
  outcome.site = faulting_instruction(context);
  outcome.set_message(message);
  walk_stack();
  if (end != End::abort) return;
  // Where the C library sends the signal is the same for everybody.
  CallStack& stack = scheduler->record().failure_stack;
  leave_out_library(stack, outcome.site);
  if (stack.frames[0] != nullptr) outcome.site = stack.frames[0];
}

void on_crash(int signal, siginfo_t* info, void* argument) {
  auto& context = *static_cast<ucontext_t*>(argument);
  if (signal == SIGSEGV && current_snapshot != nullptr && current_snapshot->heat(info->si_addr)) return;
  if (scheduler == nullptr || !scheduler->in_run()) {
    // Not the program's doing: let it crash as it would without us.
    NORN_REAL(signal)(signal, SIG_DFL);
    return;
  }
  // The stack may have overflowed inside Norn: nothing is watched any more, and its heap is not left locked.
  accessor = {};
  unlock_norn_heap();
  // A fault while walking the stack: the stack is broken, what was found of it stands.
  if (!walking)
    fail(signal == SIGABRT ? End::abort : End::crash, context, describe(signal, *info, scheduler->current()));
  walking = false;
  resume_in_driver(context, scheduler->current());
}

/// Whether the thread was inside a system call when the signal came.
bool was_in_system_call(const ucontext_t& context) {
  const auto* instruction = reinterpret_cast<const unsigned char*>(context.uc_mcontext.gregs[REG_RIP]);
  return instruction[-2] == 0x0f && instruction[-1] == 0x05;
}

void on_watchdog(int, siginfo_t*, void* argument) {
  auto& context = *static_cast<ucontext_t*>(argument);
  if (scheduler == nullptr || !scheduler->in_run()) return;
  if (stop_requested) {
    fail(End::interrupted, context, "interrupted");
  } else if (was_in_system_call(context)) {
    scheduler->record().note("a thread blocked in code that Norn does not control");
    fail(End::uncontrolled, context, "blocked in code that Norn does not control");
  } else {
    fail(End::hang, context, "no visible operation for --max-run-seconds");
  }
  resume_in_driver(context, scheduler->current());
}

}  // namespace

void install_fault_handlers(Snapshot* snapshot) {
  current_snapshot = snapshot;
  use_alternate_signal_stack();
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_crash;
  for (std::size_t i = 0; i < crash_signals.size(); ++i)
    NORN_REAL(sigaction)(crash_signals[i], &action, &previous_actions[i]);
  action.sa_sigaction = on_watchdog;
  NORN_REAL(sigaction)(watchdog_signal(), &action, nullptr);
}

void remove_fault_handlers() {
  current_snapshot = nullptr;
  for (std::size_t i = 0; i < crash_signals.size(); ++i)
    NORN_REAL(sigaction)(crash_signals[i], &previous_actions[i], nullptr);
}

void use_alternate_signal_stack() {
  void* memory =
      NORN_REAL(mmap)(nullptr, signal_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t stack{memory, 0, signal_stack_size};
  sigaltstack(&stack, nullptr);
}

}  // namespace norn::exec
