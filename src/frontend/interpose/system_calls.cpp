// System calls by their numbers, past the functions of the C library that would see them.

#include <poll.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "frontend/interpose/descriptors.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

struct SystemCall {
  long number;
  std::string_view what;
};

#define NORN_CALL(what, name) \
  { SYS_##name, "the program " what " by a system call (" #name ")" }

/// They wait for what is ready at the first descriptor.
constexpr SystemCall reading[] = {
    NORN_CALL("reads from a pipe, socket or terminal", read),
    NORN_CALL("reads from a pipe, socket or terminal", readv),
    NORN_CALL("receives from a socket", recvfrom),
    NORN_CALL("receives from a socket", recvmsg),
    NORN_CALL("receives from a socket", recvmmsg),
    NORN_CALL("waits for a connection", accept),
    NORN_CALL("waits for a connection", accept4),
};

// Since Linux 6.7; the C library does not name them.
constexpr long number_of_futex_wake = 454;
constexpr long number_of_futex_wait = 455;
constexpr long number_of_futex_requeue = 456;

/// They wait for others than the run's threads, or have the system do something meanwhile.
constexpr SystemCall outside[] = {
    NORN_CALL("waits for files", poll),
    NORN_CALL("waits for files", ppoll),
    NORN_CALL("waits for files", select),
    NORN_CALL("waits for files", pselect6),
    NORN_CALL("waits for files", epoll_wait),
    NORN_CALL("waits for files", epoll_pwait),
    NORN_CALL("waits for files", epoll_pwait2),
    NORN_CALL("reads and writes files meanwhile", io_submit),
    NORN_CALL("reads and writes files meanwhile", io_getevents),
    NORN_CALL("reads and writes files meanwhile", io_pgetevents),
    NORN_CALL("reads and writes files meanwhile", io_uring_enter),
    NORN_CALL("waits for several addresses", futex_waitv),
    {number_of_futex_wake, "the program waits by a system call that is not controlled (futex_wake)"},
    {number_of_futex_wait, "the program waits by a system call that is not controlled (futex_wait)"},
    {number_of_futex_requeue, "the program waits by a system call that is not controlled (futex_requeue)"},
    NORN_CALL("uses message queues of the system", mq_timedsend),
    NORN_CALL("uses message queues of the system", mq_timedreceive),
    NORN_CALL("uses message queues of the system", mq_notify),
    NORN_CALL("uses message queues of the system", msgsnd),
    NORN_CALL("uses message queues of the system", msgrcv),
    NORN_CALL("uses semaphores of the system", semop),
    NORN_CALL("uses semaphores of the system", semtimedop),
    NORN_CALL("waits for a signal", rt_sigtimedwait),
    NORN_CALL("waits for a signal", rt_sigsuspend),
    NORN_CALL("waits for a signal", pause),
    NORN_CALL("waits for a process", wait4),
    NORN_CALL("waits for a process", waitid),
    NORN_CALL("sets a timer that sends a signal", alarm),
    NORN_CALL("sets a timer that sends a signal", setitimer),
    NORN_CALL("sets a timer that sends a signal", timer_create),
};

/// Before any other call.
void expect_control(long number, int descriptor, const void* site) {
  for (const SystemCall& call : outside)
    if (call.number == number) run().cut_uncontrolled(call.what, site);
  for (const SystemCall& call : reading)
    if (call.number == number) before_waiting(descriptor, POLLIN, call.what, site);
}

/// Of functions that return the error.
long as_system_call(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

template <typename T>
T* pointer(long argument) {
  return reinterpret_cast<T*>(argument);
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT long syscall(long number, ...) noexcept {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = __builtin_va_arg(arguments, long);
  __builtin_va_end(arguments);
  if (number == SYS_getrandom)
    return getrandom(pointer<void>(a[0]), static_cast<std::size_t>(a[1]), static_cast<unsigned>(a[2]));
  if (controlled()) {
    if (number == SYS_futex) return futex(a[0], a[1], a[2], a[3], NORN_SITE);
    if (number == SYS_gettid) return gettid();
    if (number == SYS_nanosleep) return nanosleep(pointer<timespec>(a[0]), pointer<timespec>(a[1]));
    if (number == SYS_sched_yield) return sched_yield();
    if (number == SYS_clock_nanosleep)
      return as_system_call(clock_nanosleep(static_cast<clockid_t>(a[0]), static_cast<int>(a[1]),
                                            pointer<timespec>(a[2]), pointer<timespec>(a[3])));
    if (number == SYS_gettimeofday) return gettimeofday(pointer<timeval>(a[0]), pointer<void>(a[1]));
    if (number == SYS_time) return time(pointer<time_t>(a[0]));
    if (number == SYS_clock_gettime) return clock_gettime(static_cast<clockid_t>(a[0]), pointer<timespec>(a[1]));
    if (number == SYS_fork || number == SYS_vfork || number == SYS_clone || number == SYS_clone3)
      run().cut_uncontrolled("the program creates processes by a system call", NORN_SITE);
    if (number == SYS_execve || number == SYS_execveat)
      run().cut_uncontrolled("the program replaces itself by a system call", NORN_SITE);
    if (number == SYS_exit_group) exit_process(static_cast<int>(a[0]), false, NORN_SITE);
    if (number == SYS_exit) run().cut_uncontrolled("the program ends a thread by a system call", NORN_SITE);
    if (number == SYS_kill || number == SYS_tgkill || number == SYS_tkill)
      run().cut_uncontrolled("the program sends signals by a system call", NORN_SITE);
    expect_control(number, static_cast<int>(a[0]), NORN_SITE);
  }
  return NORN_REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
