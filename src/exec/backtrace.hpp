#pragma once

#include "exec/record.hpp"

namespace norn::exec {

/// The call stack of the caller, without Norn's own frames.
void capture_stack(CallStack& stack);

/// Whether the code at `address` is the unwinder's (libgcc), whose own synchronization is none of the program's.
bool in_unwinder(const void* address);

}  // namespace norn::exec
