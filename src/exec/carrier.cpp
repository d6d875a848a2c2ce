#include "exec/carrier.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exec/context.hpp"
#include "exec/fatal.hpp"
#include "exec/real.hpp"

namespace norn::exec {

void* reserve_stack(std::size_t nth) {
  constexpr std::uintptr_t first = 0x2d0000000000;
  constexpr std::size_t most_stacks = 8192;
  // A seat may claim somewhat more than its stack has (Seat::of_caller), which must not be its neighbour's. And the
  // ends of all stacks, which all threads use, must not all compete for the same places in the processor's cache.
  constexpr std::size_t distance = 2 * stack_size + 3 * stack_guard;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED_NOREPLACE;
  // A process that explores with threads of both kinds, one after the other, has stacks for both.
  for (const std::size_t place : {nth, most_stacks + nth}) {
    void* const wanted = reinterpret_cast<void*>(first + place * distance);
    void* const stack = NORN_REAL(mmap)(wanted, stack_size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (stack == MAP_FAILED) continue;
    mprotect(stack, stack_guard, PROT_NONE);
    return stack;
  }
  return nullptr;
}

void start_os_thread(void* (*function)(void*), void* argument, std::size_t stack, void* place) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (place != nullptr)
    pthread_attr_setstack(&attributes, place, stack);
  else
    pthread_attr_setstacksize(&attributes, stack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t handle;
  if (NORN_REAL(pthread_create)(&handle, &attributes, function, argument) != 0)
    fatal("cannot create an OS thread: lower --max-threads");
  pthread_attr_destroy(&attributes);
}

Seat Seat::of_caller(void* frame) {
  constexpr std::size_t room_for_callers_frame = 4096;
  char* top = static_cast<char*>(frame);
  return {top - room_for_callers_frame, top - stack_size, read_tcb(), pthread_self(), NORN_REAL(gettid)()};
}

}  // namespace norn::exec
