#pragma once

#include "exec/record.hpp"

namespace norn::exec {

/// The call stack of the caller, without Norn's own frames.
void capture_stack(CallStack& stack);

/// Leaves out what is in the library that contains `code`, down to its caller. If there is none, nothing changes.
void leave_out_library(CallStack& stack, const void* code);

/// Where the program itself was loaded.
std::uintptr_t program_base();
/// Whether the code at `address` is Norn's own.
bool in_norn(const void* address);
/// Whether the code at `address` is in the compiler's own libraries (libgcc, libstdc++). What they initialise once for
/// themselves (the unwinder, locales) is none of the program's synchronization.
bool in_compiler_library(const void* address);

}  // namespace norn::exec
