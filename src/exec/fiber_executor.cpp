// Virtual threads as fibers in one OS thread. Each borrows the thread control block and the stack of an OS thread
// that is parked for that purpose and never runs, so that thread_local, errno, exceptions in flight and
// pthread_self() are right.

#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <atomic>
#include <deque>

#include "exec/carrier.hpp"
#include "exec/context.hpp"
#include "exec/executor.hpp"
#include "exec/fatal.hpp"
#include "exec/real.hpp"

namespace norn::exec {
namespace {

constexpr unsigned long hwcap2_fsgsbase = 2;

std::atomic<unsigned> parked{0};

void* park(void* seat) {
  *static_cast<Seat*>(seat) = Seat::of_caller(__builtin_frame_address(0));
  ++parked;
  for (;;) NORN_REAL(pause)();
}

class FiberExecutor final : public Executor {
 public:
  void provide(std::span<Thread> threads) override {
    if (main_stack_ == nullptr) map_main_stack();
    for (std::size_t i = seats_.size(); i < threads.size() - 1; ++i)
      start_os_thread(park, &seats_.emplace_back(), stack_size, reserve_stack(i + 1));
    while (parked < seats_.size()) NORN_REAL(usleep)(50);
    threads[main_thread].seat = main_seat();
    for (std::size_t i = 1; i < threads.size(); ++i) threads[i].seat = seats_[i - 1];
    for (Thread& thread : threads) thread.seat.os_thread = NORN_REAL(gettid)();
  }

  void prepare(Thread& thread, void (*entry)(), const FloatingPoint& floating_point) override {
    thread.stack_pointer = initial_stack(thread.seat.stack_top, entry, floating_point);
  }

  void switch_to(Thread& from, Thread& to) override {
    norn_switch_context(&from.stack_pointer, to.stack_pointer, to.seat.tcb);
  }

  void leave_to(Thread&, Thread& to) override { norn_load_context(to.stack_pointer, to.seat.tcb); }

  void leave(Thread&) override { norn_load_context(driver_stack_, driver_tcb_); }

  [[nodiscard]] bool can_resume() const override { return true; }

  void drive(void (*driver)(void*), void* argument) override { driver(argument); }

  void run(Thread& first) override {
    // Most threads have raised nothing. With what Norn has raised itself, all of them would have to load that.
    _mm_setcsr(FloatingPoint().vector_state);
    driver_tcb_ = read_tcb();
    norn_switch_context(&driver_stack_, first.stack_pointer, first.seat.tcb);
  }

 private:
  void map_main_stack() {
    void* stack = reserve_stack(0);
    if (stack == nullptr) fatal("cannot reserve a stack for the main thread");
    main_stack_ = static_cast<char*>(stack);
  }

  /// The main thread keeps the control block of the calling thread and gets a stack of its own, because the driver
  /// lives on the original one.
  [[nodiscard]] Seat main_seat() const {
    Seat seat = Seat::of_caller(nullptr);
    seat.stack_limit = main_stack_;
    seat.stack_top = main_stack_ + stack_size - 64;
    return seat;
  }

  std::deque<Seat> seats_;
  char* main_stack_ = nullptr;
  void* driver_stack_ = nullptr;
  std::uintptr_t driver_tcb_ = 0;
};

}  // namespace

bool fibers_supported() { return (getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0; }

Executor& fiber_executor() {
  static auto* const executor = new FiberExecutor;
  return *executor;
}

}  // namespace norn::exec
