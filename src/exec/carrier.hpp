#pragma once

#include <cstddef>

#include "exec/thread.hpp"

namespace norn::exec {

/// Virtual threads have stacks of the usual size; only what is touched costs memory.
inline constexpr std::size_t stack_size = std::size_t{8} << 20;
/// So much of it, at its lower end, must not be touched.
inline constexpr std::size_t stack_guard = 4096;

/// Room for the stack of a virtual thread: always in the same place, so that objects there have the same addresses in
/// every process that explores the program. nullptr if there is something else.
void* reserve_stack(std::size_t nth);

/// Starts a real OS thread that runs `function(argument)`, on `place` if that is given. Not in Phase::program.
void start_os_thread(void* (*function)(void*), void* argument, std::size_t stack, void* place = nullptr);

}  // namespace norn::exec
