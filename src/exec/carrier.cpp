#include "exec/carrier.hpp"

#include <pthread.h>
#include <unistd.h>

#include "exec/context.hpp"
#include "exec/fatal.hpp"
#include "exec/real.hpp"

namespace norn::exec {

void start_os_thread(void* (*function)(void*), void* argument, std::size_t stack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
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
