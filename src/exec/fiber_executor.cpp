// Virtual threads as fibers in one OS thread. Each borrows the thread control block and the stack of an OS thread
// that is parked for that purpose and never runs, so that thread_local, errno, exceptions in flight and
// pthread_self() are right.

#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "exec/carrier.hpp"
#include "exec/context.hpp"
#include "exec/executor.hpp"
#include "exec/fatal.hpp"

namespace norn::exec {
namespace {

constexpr unsigned long hwcap2_fsgsbase = 2;
constexpr std::size_t room_for_parked_frame = 4096;

std::atomic<unsigned> parked{0};

void* park(void* argument) {
  Thread& thread = *static_cast<Thread*>(argument);
  thread.tcb = read_tcb();
  thread.handle = pthread_self();
  char* frame = static_cast<char*>(__builtin_frame_address(0));
  thread.stack_top = frame - room_for_parked_frame;
  thread.stack_limit = frame - stack_size;
  ++parked;
  for (;;) pause();
}

/// The main thread keeps the control block of the process's main thread and gets a stack of its own, because
/// the driver lives on the original one.
void provide_main(Thread& main) {
  char* stack = static_cast<char*>(mmap(nullptr, stack_size, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0));
  if (stack == MAP_FAILED) fatal("cannot reserve a stack for the main thread");
  mprotect(stack, 4096, PROT_NONE);
  main.tcb = read_tcb();
  main.handle = pthread_self();
  main.stack_limit = stack;
  main.stack_top = stack + stack_size - 64;
}

class FiberExecutor final : public Executor {
 public:
  void provide(std::span<Thread> threads) override {
    provide_main(threads[main_thread]);
    parked = 0;
    for (Thread& thread : threads) thread.os_thread = gettid();
    for (Thread& thread : threads.subspan(1)) start_os_thread(park, &thread, stack_size);
    while (parked < threads.size() - 1) usleep(50);
  }

  void prepare(Thread& thread, void (*entry)()) override {
    thread.stack_pointer = initial_stack(thread.stack_top, entry);
  }

  void switch_to(Thread& from, Thread& to) override {
    norn_switch_context(&from.stack_pointer, to.stack_pointer, to.tcb);
  }

  void leave_to(Thread&, Thread& to) override { norn_load_context(to.stack_pointer, to.tcb); }

  void leave(Thread&) override { norn_load_context(driver_stack_, driver_tcb_); }

  void drive(void (*driver)(void*), void* argument) override { driver(argument); }

  void run(Thread& first) override {
    driver_tcb_ = first.tcb;
    norn_switch_context(&driver_stack_, first.stack_pointer, first.tcb);
  }

 private:
  void* driver_stack_ = nullptr;
  std::uintptr_t driver_tcb_ = 0;
};

}  // namespace

bool fibers_supported() { return (getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0; }

std::unique_ptr<Executor> make_fiber_executor() { return std::make_unique<FiberExecutor>(); }

}  // namespace norn::exec
