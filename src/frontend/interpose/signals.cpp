// Signals. Delivery between threads is not explored; a fatal signal that a thread sends to itself ends the run.

#include <signal.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "frontend/interpose/interpose.hpp"

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int raise(int number) noexcept {
  if (!controlled()) return NORN_REAL(raise)(number);
  if (number == SIGABRT) run().end_run(End::abort, NORN_SITE, "the program raised SIGABRT");
  run().cut_uncontrolled("the program raises a signal (raise)", NORN_SITE);
}

NORN_EXPORT int kill(pid_t pid, int number) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sends a signal (kill)", NORN_SITE);
  return NORN_REAL(kill)(pid, number);
}

NORN_EXPORT int killpg(pid_t group, int number) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sends a signal (killpg)", NORN_SITE);
  return NORN_REAL(killpg)(group, number);
}

NORN_EXPORT int tgkill(pid_t pid, pid_t thread, int number) {
  if (controlled()) run().cut_uncontrolled("the program sends a signal to a thread (tgkill)", NORN_SITE);
  return NORN_REAL(tgkill)(pid, thread, number);
}

NORN_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sends a signal to a thread (pthread_kill)", NORN_SITE);
  return NORN_REAL(pthread_kill)(thread, number);
}

NORN_EXPORT int sigqueue(pid_t pid, int number, const sigval value) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sends a signal (sigqueue)", NORN_SITE);
  return NORN_REAL(sigqueue)(pid, number, value);
}

NORN_EXPORT int pthread_sigqueue(pthread_t thread, int number, const sigval value) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sends a signal to a thread (pthread_sigqueue)", NORN_SITE);
  return NORN_REAL(pthread_sigqueue)(thread, number, value);
}

NORN_EXPORT int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sets a timer that sends a signal (setitimer)", NORN_SITE);
  return NORN_REAL(setitimer)(which, value, old);
}

NORN_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a timer (timer_create)", NORN_SITE);
  return NORN_REAL(timer_create)(clock, event, timer);
}

// Without signals between threads a mask changes nothing, and the real one would block those that Norn needs.

NORN_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!controlled()) return NORN_REAL(pthread_sigmask)(how, set, old);
  if (old != nullptr) sigemptyset(old);
  return 0;
}

NORN_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!controlled()) return NORN_REAL(sigprocmask)(how, set, old);
  return pthread_sigmask(how, set, old);
}

NORN_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  if (!controlled()) return NORN_REAL(sigaction)(number, action, old);
  if (action != nullptr) run().record().note("the program handles signals (sigaction)");
  return NORN_REAL(sigaction)(number, nullptr, old);
}

NORN_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!controlled()) return NORN_REAL(signal)(number, handler);
  run().record().note("the program handles signals (signal)");
  return SIG_DFL;
}

// Under these names it behaves as other systems do, or did; __sysv_signal is what signal is in strictly standard C.

extern "C" sighandler_t bsd_signal(int number, sighandler_t handler) noexcept;

NORN_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  if (!controlled()) return NORN_REAL(bsd_signal)(number, handler);
  run().record().note("the program handles signals (bsd_signal)");
  return SIG_DFL;
}

NORN_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  if (!controlled()) return NORN_REAL(sysv_signal)(number, handler);
  run().record().note("the program handles signals (sysv_signal)");
  return SIG_DFL;
}

NORN_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  if (!controlled()) return NORN_REAL(__sysv_signal)(number, handler);
  run().record().note("the program handles signals (signal)");
  return SIG_DFL;
}

NORN_EXPORT sighandler_t sigset(int number, sighandler_t handler) noexcept {
  if (!controlled()) return exec::real<sighandler_t(int, sighandler_t), "sigset">()(number, handler);
  run().record().note("the program handles signals (sigset)");
  return SIG_DFL;
}

NORN_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sets a timer that sends a signal (alarm)", NORN_SITE);
  return NORN_REAL(alarm)(seconds);
}

NORN_EXPORT useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sets a timer that sends a signal (ualarm)", NORN_SITE);
  return NORN_REAL(ualarm)(first, interval);
}

NORN_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* information, const timespec* timeout) {
  if (controlled()) run().cut_uncontrolled("the program waits for a signal (sigtimedwait)", NORN_SITE);
  return NORN_REAL(sigtimedwait)(set, information, timeout);
}

NORN_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* information) {
  if (controlled()) run().cut_uncontrolled("the program waits for a signal (sigwaitinfo)", NORN_SITE);
  return NORN_REAL(sigwaitinfo)(set, information);
}

// System V semaphores and messages are there for other processes.

NORN_EXPORT int semop(int semaphores, sembuf* operations, std::size_t count) noexcept {
  if (controlled()) run().cut_uncontrolled("the program uses semaphores of the system (semop)", NORN_SITE);
  return NORN_REAL(semop)(semaphores, operations, count);
}

NORN_EXPORT int semtimedop(int semaphores, sembuf* operations, std::size_t count, const timespec* timeout) noexcept {
  if (controlled()) run().cut_uncontrolled("the program uses semaphores of the system (semtimedop)", NORN_SITE);
  return NORN_REAL(semtimedop)(semaphores, operations, count, timeout);
}

NORN_EXPORT int msgsnd(int queue, const void* message, std::size_t size, int flags) {
  if (controlled()) run().cut_uncontrolled("the program uses message queues of the system (msgsnd)", NORN_SITE);
  return NORN_REAL(msgsnd)(queue, message, size, flags);
}

NORN_EXPORT ssize_t msgrcv(int queue, void* message, std::size_t size, long type, int flags) {
  if (controlled()) run().cut_uncontrolled("the program uses message queues of the system (msgrcv)", NORN_SITE);
  return NORN_REAL(msgrcv)(queue, message, size, type, flags);
}

NORN_EXPORT int pause() {
  if (controlled()) run().cut_uncontrolled("the program waits for a signal (pause)", NORN_SITE);
  return NORN_REAL(pause)();
}

NORN_EXPORT int sigwait(const sigset_t* set, int* number) {
  if (controlled()) run().cut_uncontrolled("the program waits for a signal (sigwait)", NORN_SITE);
  return NORN_REAL(sigwait)(set, number);
}
