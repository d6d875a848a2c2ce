#pragma once

#include "exec/loops.hpp"
#include "trace/event.hpp"

namespace norn::exec {

/// Whether the object of such an operation is memory of the program's.
inline bool uses_memory(Op op) { return op >= Op::mutex_lock && op <= Op::once; }

/// What a thread is about to do. While it is pending, the thread waits in the scheduler.
struct Operation {
  Op op = Op::none;
  const void* site = nullptr;
  void* object = nullptr;
  void* mutex = nullptr;       ///< condition variables: the mutex to give back and take again
  std::uint64_t argument = 0;  ///< semaphores: how many; sleeps: order of arrival; joins: the thread waited for

  [[nodiscard]] Place place() const { return {site, object}; }
};

}  // namespace norn::exec
