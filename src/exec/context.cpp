#include "exec/context.hpp"

#include <cstring>

namespace norn::exec {

/// For the assembly below.
extern "C" {
[[gnu::visibility("hidden")]] bool norn_keeps_status = false;
[[gnu::visibility("hidden")]] bool norn_has_avx2 = __builtin_cpu_supports("avx2");
}

asm(R"(
# As FloatingPoint.
.macro save_floating_point
  pushq $0
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  cmpb $0, norn_keeps_status(%rip)
  je 9f
  fnstsw 6(%rsp)
9:
.endm
.macro save_registers
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  save_floating_point
.endm
.macro restore_registers
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
.endm

.text
.p2align 6
.globl norn_load_context
.hidden norn_load_context
.type norn_load_context,@function
norn_load_context:
  save_floating_point
  jmp 1f
.size norn_load_context, .-norn_load_context

.globl norn_switch_context
.hidden norn_switch_context
.type norn_switch_context,@function
norn_switch_context:
  save_registers
  mov %rsp, (%rdi)
  mov %rsi, %rdi
  mov %rdx, %rsi
1:
  mov (%rsp), %eax
  movzwl 4(%rsp), %ecx
  movzwl 6(%rsp), %edx
  mov %rdi, %rsp
  cmp %rsi, %fs:0  # The control block begins with its own address. Reading that is cheap, writing the register is not.
  je 2f
  wrfsbase %rsi
2:
  cmp %eax, (%rsp)  # Mostly all threads compute in the same way; comparing is cheap, loading is not.
  jne 5f
3:
  cmp %cx, 4(%rsp)
  jne 6f
  cmp %dx, 6(%rsp)
  jne 6f
4:
  restore_registers
  ret
5:
  ldmxcsr (%rsp)
  jmp 3b
6:
  fnstenv -32(%rsp)
  mov 4(%rsp), %ax
  mov %ax, -32(%rsp)
  mov 6(%rsp), %ax
  mov %ax, -28(%rsp)
  fldenv -32(%rsp)
  jmp 4b
.size norn_switch_context, .-norn_switch_context

.globl norn_mark_context
.hidden norn_mark_context
.type norn_mark_context,@function
norn_mark_context:
  save_registers
  mov %rsp, (%rdi)
  mov %rdx, %rdi
  call *%rsi
  restore_registers
  ret
.size norn_mark_context, .-norn_mark_context

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

# Uses no stack itself.
.globl norn_clear_stack
.hidden norn_clear_stack
.type norn_clear_stack,@function
norn_clear_stack:
  movq $0, -8(%rsp)
  movq $0, -16(%rsp)
  movq $0, -24(%rsp)
  mov %rsp, %rdx
  and $-32, %rdx
  cmpb $0, norn_has_avx2(%rip)
  je 4f
  vpxor %xmm0, %xmm0, %xmm0
1:
  lea -512(%rdx), %rax
  cmp %rsi, %rax
  jb 3f
  vpxor %xmm1, %xmm1, %xmm1
2:
  sub $128, %rdx
  vpor (%rdx), %ymm1, %ymm1
  vmovdqa %ymm0, (%rdx)
  vpor 32(%rdx), %ymm1, %ymm1
  vmovdqa %ymm0, 32(%rdx)
  vpor 64(%rdx), %ymm1, %ymm1
  vmovdqa %ymm0, 64(%rdx)
  vpor 96(%rdx), %ymm1, %ymm1
  vmovdqa %ymm0, 96(%rdx)
  cmp %rax, %rdx
  jne 2b
  cmp %rdi, %rdx
  ja 1b
  vptest %ymm1, %ymm1
  jnz 1b
3:
  vzeroupper
  ret
4:
  pxor %xmm0, %xmm0
5:
  lea -512(%rdx), %rax
  cmp %rsi, %rax
  jb 7f
  pxor %xmm1, %xmm1
6:
  sub $64, %rdx
  por (%rdx), %xmm1
  movaps %xmm0, (%rdx)
  por 16(%rdx), %xmm1
  movaps %xmm0, 16(%rdx)
  por 32(%rdx), %xmm1
  movaps %xmm0, 32(%rdx)
  por 48(%rdx), %xmm1
  movaps %xmm0, 48(%rdx)
  cmp %rax, %rdx
  jne 6b
  cmp %rdi, %rdx
  ja 5b
  pcmpeqb %xmm0, %xmm1
  pmovmskb %xmm1, %ecx
  cmp $0xffff, %ecx
  jne 5b
7:
  ret
.size norn_clear_stack, .-norn_clear_stack

.globl norn_on_stack
.hidden norn_on_stack
.type norn_on_stack,@function
norn_on_stack:
  push %rbp
  mov %rsp, %rbp
  mov %rdi, %rsp
  mov %rdx, %rdi
  call *%rsi
  mov %rbp, %rsp
  pop %rbp
  ret
.size norn_on_stack, .-norn_on_stack

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
.purgem save_floating_point
.purgem save_registers
.purgem restore_registers
)");

extern "C" void norn_first_frame();

void* initial_stack(void* top, void (*entry)(), const FloatingPoint& floating_point) {
  void** stack = static_cast<void**>(top);
  *--stack = nullptr;
  *--stack = reinterpret_cast<void*>(norn_first_frame);
  *--stack = nullptr;                         // rbp
  *--stack = nullptr;                         // rbx
  *--stack = reinterpret_cast<void*>(entry);  // r12
  *--stack = nullptr;                         // r13
  *--stack = nullptr;                         // r14
  *--stack = nullptr;                         // r15
  std::memcpy(--stack, &floating_point, sizeof floating_point);
  return stack;
}

}  // namespace norn::exec
