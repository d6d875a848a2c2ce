#pragma once

#include <span>

#include "exec/floating_point.hpp"
#include "exec/thread.hpp"

namespace norn::exec {

/// How virtual threads are carried. At any moment exactly one of them, or the driver (which starts runs and
/// looks at what they left), is executing.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Gives every slot a stack and a thread control block. The OS threads behind them are kept for the next engine.
  virtual void provide(std::span<Thread> threads) = 0;
  /// In a forked child, which has only the OS thread that forked.
  virtual void after_fork() {}
  /// The next switch to `thread` begins `entry` on its empty stack, computing in this way; `entry` never returns.
  virtual void prepare(Thread& thread, void (*entry)(), const FloatingPoint& floating_point) = 0;

  // On virtual threads.

  virtual void switch_to(Thread& from, Thread& to) = 0;
  /// As switch_to, but `from` is never resumed.
  [[noreturn]] virtual void leave_to(Thread& from, Thread& to) = 0;
  /// The run is over: the driver goes on, and no thread is ever resumed.
  [[noreturn]] virtual void leave(Thread& from) = 0;

  /// Calls `driver`, which is to call `run`, perhaps on another OS thread; returns when it does.
  virtual void drive(void (*driver)(void*), void* argument) = 0;

  // On the driver.

  /// Runs from `first` until some thread leaves.
  virtual void run(Thread& first) = 0;

  /// Whether threads are nothing but memory, so that a run can go on from the middle of an earlier one.
  [[nodiscard]] virtual bool can_resume() const { return false; }
};

/// Fibers in one OS thread.
Executor& fiber_executor();
/// One OS thread each, with a baton that is handed over.
Executor& os_executor();

/// Whether this processor and kernel let us switch thread control blocks without a system call.
bool fibers_supported();

}  // namespace norn::exec
