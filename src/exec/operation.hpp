#pragma once

#include "trace/event.hpp"

namespace norn::exec {

/// What a thread is about to do. While it is pending, the thread waits in the scheduler.
struct Operation {
  Op op = Op::none;
  const void* site = nullptr;
  void* object = nullptr;
  void* mutex = nullptr;       ///< condition variables: the mutex to give back and take again
  std::uint64_t argument = 0;  ///< semaphores: how many; sleeps: order of arrival; joins: the thread waited for
};

}  // namespace norn::exec
