#include "exec/backtrace.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <iterator>

#include "exec/phase.hpp"
#include "exec/watch.hpp"

namespace norn::exec {
namespace {

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

/// Where the module that contains `code` lies.
Range module_of(const void* code) {
  struct Search {
    std::uintptr_t code;
    Range found;
  } search{reinterpret_cast<std::uintptr_t>(code), {}};
  const auto visit = [](dl_phdr_info* info, std::size_t, void* argument) {
    auto& [wanted, found] = *static_cast<Search*>(argument);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& segment = info->dlpi_phdr[i];
      const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
      if (segment.p_type != PT_LOAD || wanted < begin || wanted >= begin + segment.p_memsz) continue;
      found = {begin, begin + segment.p_memsz};
      return 1;
    }
    return 0;
  };
  dl_iterate_phdr(visit, &search);
  return search.found;
}

bool contains(const Range& range, std::uintptr_t address) { return address >= range.begin && address < range.end; }

struct Walk {
  CallStack& stack;
  Range own;
  unsigned depth = 0;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  int before_instruction = 0;
  std::uintptr_t address = _Unwind_GetIPInfo(context, &before_instruction);
  // The unwinder comes to a frame with the stack pointer that its callee left behind, which is where that one ended.
  const auto* const pointer = reinterpret_cast<const void*>(_Unwind_GetCFA(context));
  if (walk.depth == 0) walk.stack.top = pointer;
  if (walk.depth > 0 && walk.stack.bases[walk.depth - 1] == nullptr) walk.stack.bases[walk.depth - 1] = pointer;
  if (address == 0 || walk.depth == stack_depth) return _URC_END_OF_STACK;
  if (contains(walk.own, address)) return _URC_NO_REASON;
  // Return addresses are left as such, and so is a faulting instruction: one more, so that both are one too far.
  if (before_instruction != 0) ++address;
  walk.stack.bases[walk.depth] = nullptr;
  walk.stack.frames[walk.depth++] = reinterpret_cast<const void*>(address);
  return _URC_NO_REASON;
}

const Range& own_range() {
  static const Range own = module_of(reinterpret_cast<const void*>(&capture_stack));
  return own;
}

}  // namespace

std::uintptr_t program_base() {
  std::uintptr_t base = 0;
  // The program is the first of all modules.
  const auto visit = [](dl_phdr_info* info, std::size_t, void* result) {
    *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(visit, &base);
  return base;
}

bool in_norn(const void* address) { return contains(own_range(), reinterpret_cast<std::uintptr_t>(address)); }

void capture_stack(CallStack& stack) {
  const PhaseScope scope(Phase::norn);
  const Unwatched unwatched;
  Walk walk{stack, own_range()};
  _Unwind_Backtrace(visit_frame, &walk);
  if (walk.depth < stack_depth) stack.frames[walk.depth] = nullptr;
}

void leave_out_library(CallStack& stack, const void* code) {
  const Range library = module_of(code);
  const auto is_outside = [&library](const void* frame) {
    return !contains(library, reinterpret_cast<std::uintptr_t>(frame));
  };
  const auto end = std::find(std::begin(stack.frames), std::end(stack.frames), nullptr);
  const auto caller = std::find_if(std::begin(stack.frames), end, is_outside);
  if (caller == end) return;
  const auto left_out = caller - std::begin(stack.frames);
  const auto count = end - caller;
  std::copy_n(caller, count, std::begin(stack.frames));
  std::copy_n(std::begin(stack.bases) + left_out, count, std::begin(stack.bases));
  if (count != stack_depth) stack.frames[count] = nullptr;
}

bool in_compiler_library(const void* address) {
  static const Range unwinder = module_of(reinterpret_cast<const void*>(&_Unwind_Backtrace));
  static const Range cxx_library = module_of(dlsym(RTLD_NEXT, "_ZSt13set_terminatePFvvE"));
  const auto code = reinterpret_cast<std::uintptr_t>(address);
  return contains(unwinder, code) || contains(cxx_library, code);
}

}  // namespace norn::exec
