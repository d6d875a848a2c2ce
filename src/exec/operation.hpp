#pragma once

#include "exec/loops.hpp"
#include "trace/event.hpp"

namespace norn::exec {

/// Whether the object of such an operation is memory of the program's.
inline bool uses_memory(Op op) { return op >= Op::mutex_lock && op <= Op::once; }

inline bool is_on_mutex(Op op) {
  return (op >= Op::mutex_lock && op <= Op::mutex_unlock) || op == Op::condition_relock;
}

inline bool is_on_rwlock(Op op) { return op >= Op::rwlock_read && op <= Op::rwlock_unlock; }

/// What a thread is about to do. While it is pending, the thread waits in the scheduler.
struct Operation {
  Op op = Op::none;
  const void* site = nullptr;
  void* object = nullptr;
  void* mutex =
      nullptr;  ///< condition variables: the mutex to give back and take again; locks taken together: all of them
  std::uint64_t argument = 0;  ///< semaphores: how many; sleeps: order of arrival; joins: the thread waited for

  [[nodiscard]] Place place() const { return {site, object}; }
};

}  // namespace norn::exec
