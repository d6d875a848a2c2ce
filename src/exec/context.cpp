#include "exec/context.hpp"

namespace norn::exec {

asm(R"(
.text
.globl norn_switch_context
.hidden norn_switch_context
.type norn_switch_context,@function
norn_switch_context:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rdi
  mov %rdx, %rsi
.globl norn_load_context
.hidden norn_load_context
.type norn_load_context,@function
norn_load_context:
  mov %rdi, %rsp
  wrfsbase %rsi
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size norn_switch_context, .-norn_switch_context

.globl norn_with_registers
.hidden norn_with_registers
.type norn_with_registers,@function
norn_with_registers:
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rdi, %rax
  mov %rsp, %rdi
  call *%rax
  add $40, %rsp
  ret
.size norn_with_registers, .-norn_with_registers

.globl norn_enter
.hidden norn_enter
.type norn_enter,@function
norn_enter:
  lea -8(%rdi), %rsp  # as initial_stack does: what lies on the stack has the same address in every run
  mov %rsi, %r12

# Where a fresh stack begins: calls the function in r12. Unwinding ends here.
.hidden norn_first_frame
.type norn_first_frame,@function
norn_first_frame:
  .cfi_startproc
  .cfi_undefined rip
  xor %ebp, %ebp
  and $-16, %rsp
  call *%r12
  ud2
  .cfi_endproc
.size norn_first_frame, .-norn_first_frame
)");

extern "C" void norn_first_frame();

void* initial_stack(void* top, void (*entry)()) {
  void** stack = static_cast<void**>(top);
  *--stack = nullptr;
  *--stack = reinterpret_cast<void*>(norn_first_frame);
  *--stack = nullptr;                         // rbp
  *--stack = nullptr;                         // rbx
  *--stack = reinterpret_cast<void*>(entry);  // r12
  *--stack = nullptr;                         // r13
  *--stack = nullptr;                         // r14
  *--stack = nullptr;                         // r15
  return stack;
}

}  // namespace norn::exec
