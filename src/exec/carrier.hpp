#pragma once

#include <cstddef>

#include "exec/thread.hpp"

namespace norn::exec {

/// Virtual threads have stacks of the usual size; only what is touched costs memory.
inline constexpr std::size_t stack_size = std::size_t{8} << 20;

/// Starts a real OS thread that runs `function(argument)`. Not in Phase::program.
void start_os_thread(void* (*function)(void*), void* argument, std::size_t stack);

}  // namespace norn::exec
