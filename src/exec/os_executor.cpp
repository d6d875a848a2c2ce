// Virtual threads as OS threads, exactly one of which has the baton. Slower by two orders of magnitude than
// fibers, but a debugger sees real threads, and it works where thread control blocks cannot be switched.

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <deque>

#include "exec/carrier.hpp"
#include "exec/context.hpp"
#include "exec/executor.hpp"
#include "exec/fatal.hpp"
#include "exec/faults.hpp"
#include "exec/phase.hpp"
#include "exec/real.hpp"

namespace norn::exec {
namespace {

/// The system call itself; the program's errno stays as it is.
void futex(std::atomic<int>* word, int operation, int value) {
  const int before = errno;
  NORN_REAL(syscall)(SYS_futex, word, operation, value, nullptr, nullptr, 0);
  errno = before;
}

/// A binary semaphore that one OS thread sleeps on.
class Baton {
 public:
  void pass() {
    word_.store(1);
    futex(&word_, FUTEX_WAKE_PRIVATE, 1);
  }
  void await() {
    while (word_.exchange(0) == 0) futex(&word_, FUTEX_WAIT_PRIVATE, 0);
  }

 private:
  std::atomic<int> word_{0};
};

class OsExecutor;

struct Carrier {
  OsExecutor* executor = nullptr;
  void* place = nullptr;  ///< of its stack
  Seat seat;
  Baton baton;
  void (*entry)() = nullptr;
  FloatingPoint floating_point;
  bool abandoned = false;  ///< the run it was part of is over: back to the beginning
  bool busy = false;       ///< has not come back to the beginning since it was prepared
  bool started = false;
};

class OsExecutor final : public Executor {
 public:
  void provide(std::span<Thread> threads) override {
    while (carriers_.size() < threads.size()) add_carrier();
    // Before the snapshot is taken: the C library remembers that there are threads.
    for (std::size_t i = 1; i < threads.size(); ++i) start(carriers_[i]);
    for (Thread& thread : threads) thread.seat = carriers_[thread.id].seat;
    threads_ = threads;
  }

  /// The program's main thread is the main thread of the process, so the driver gets a thread of its own.
  void drive(void (*driver)(void*), void* argument) override {
    Carrier& main = carriers_[main_thread];
    main.started = true;
    finished_ = false;
    driver_function_ = driver;
    driver_argument_ = argument;
    occupy(main, __builtin_frame_address(0));
    // What is above differs from process to process.
    main.seat.stack_limit = main.place;
    main.seat.stack_top = static_cast<char*>(main.place) + stack_size - 64;
    threads_[main_thread].seat = main.seat;
    own_carrier = &main;
    start_os_thread(run_driver, this, stack_size);
    norn_switch_context(&main_return_, initial_stack(main.seat.stack_top, wait_for_run, {}), main.seat.tcb);
  }

  void after_fork() override {
    for (Carrier& carrier : carriers_) carrier.started = false;
  }

  void prepare(Thread& thread, void (*entry)(), const FloatingPoint& floating_point) override {
    Carrier& carrier = carriers_[thread.id];
    start(carrier);
    thread.seat = carrier.seat;
    carrier.entry = entry;
    carrier.floating_point = floating_point;
    carrier.busy = true;
  }

  void switch_to(Thread& from, Thread& to) override {
    Carrier& mine = carriers_[from.id];
    carriers_[to.id].baton.pass();
    await(mine);
  }

  void leave_to(Thread& from, Thread& to) override {
    Carrier& mine = carriers_[from.id];
    mine.busy = false;
    carriers_[to.id].baton.pass();
    begin_again(mine);
  }

  void leave(Thread& from) override {
    Carrier& mine = carriers_[from.id];
    mine.busy = false;
    driver_.pass();
    begin_again(mine);
  }

  void run(Thread& first) override {
    carriers_[first.id].baton.pass();
    driver_.await();
    for (Carrier& carrier : carriers_) {
      if (!carrier.busy) continue;
      carrier.abandoned = true;
      carrier.baton.pass();
      home_.await();
    }
  }

 private:
  /// Stacks are where those of fibers are.
  void add_carrier() {
    void* const place = reserve_stack(carriers_.size());
    if (place == nullptr) fatal("cannot reserve a stack for a thread");
    Carrier& carrier = carriers_.emplace_back();
    carrier.executor = this;
    carrier.place = place;
  }

  void start(Carrier& carrier) {
    if (carrier.started) return;
    // What the C library allocates for a thread lives longer than a run, and what the new thread does before it is
    // home is not the program's doing.
    const PhaseScope scope(Phase::norn);
    carrier.started = true;
    start_os_thread(carry, &carrier, stack_size, carrier.place);
    home_.await();
  }

  static void* carry(void* argument) {
    Carrier& carrier = *static_cast<Carrier*>(argument);
    occupy(carrier, __builtin_frame_address(0));
    carrier.executor->home_.pass();
    begin_again(carrier);
  }

  /// The calling OS thread carries this virtual thread from now on, on the stack below `frame`.
  static void occupy(Carrier& carrier, void* frame) {
    carrier.seat = Seat::of_caller(frame);
    use_alternate_signal_stack();
  }

  static void* run_driver(void* argument) {
    OsExecutor& self = *static_cast<OsExecutor*>(argument);
    self.driver_function_(self.driver_argument_);
    self.finished_ = true;
    self.carriers_[main_thread].baton.pass();
    // It must not end: the C library's count of threads may have been turned back with the program's memory.
    for (;;) NORN_REAL(pause)();
  }

  [[noreturn]] static void begin_again(Carrier& carrier) {
    own_carrier = &carrier;
    norn_enter(carrier.seat.stack_top, wait_for_run);
  }

  static void wait_for_run() {
    Carrier& carrier = *own_carrier;
    carrier.executor->await(carrier);
    carrier.floating_point.load();
    carrier.entry();
  }

  void await(Carrier& mine) {
    mine.baton.await();
    if (finished_) norn_load_context(main_return_, mine.seat.tcb);
    if (!mine.abandoned) return;
    mine.abandoned = false;
    mine.busy = false;
    home_.pass();
    begin_again(mine);
  }

  static thread_local Carrier* own_carrier;

  std::deque<Carrier> carriers_;
  std::span<Thread> threads_;
  void (*driver_function_)(void*) = nullptr;
  void* driver_argument_ = nullptr;
  void* main_return_ = nullptr;
  bool finished_ = false;
  Baton driver_;
  Baton home_;  ///< passed when a carrier is back at its beginning
};

thread_local Carrier* OsExecutor::own_carrier = nullptr;

}  // namespace

Executor& os_executor() {
  static auto* const executor = new OsExecutor;
  return *executor;
}

}  // namespace norn::exec
