// The end of the process (exit, abort, assert, terminate), other processes, and signals.

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <time.h>

#include <cstdarg>
#include <cstring>
#include <exception>
#include <typeinfo>
#include <vector>

#include "exec/backtrace.hpp"
#include "exec/output.hpp"
#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/terminate.hpp"
#include "norn/runtime_abi.h"

namespace norn::frontend {
namespace {

/// What all threads' ways lead to: they race with the end of the process.
char whole_process;

/// The bug that --self-check is to find.
void (*planted_bug)(int with_lock) = nullptr;

/// These can do without atomic operations only.
bool prefers_locks(const std::string& strategy) { return strategy == "reachability" || strategy == "t-way"; }

}  // namespace

void exit_process(int code, bool handlers, const void* site, bool last) {
  const bool others_may_go_on = run().others_unjoined();
  if (!last && others_may_go_on) run().perform({Op::process_exit, site, &whole_process});
  const std::uint32_t steps = run().record().steps;
  if (handlers) {
    if (planted_bug != nullptr && run().options().self_check) planted_bug(prefers_locks(run().options().strategy));
    finish_thread_locals();
    exec::run_exit_handlers(exec::ExitKind::ordinary);
    exec::end_output(true);
  }
  if (run().record().steps != steps && others_may_go_on) {
    // What handlers and destructors did may show to others before the process is gone.
    if (!last) run().perform({Op::process_exit, site, &whole_process});
    if (last) run().entangle(Entangled::by_last);
  }
  run().check_properties();
  if (code == 0) run().check_leaks(site);
  code &= 0xff;
  if (code == 0) run().end_run(End::finished, site, {});
  run().end_run(End::exit_code, site, fmt::format("the program ended with exit code {}", code));
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void norn_plant(void (*bug)(int with_lock)) { planted_bug = bug; }

/// What the loader changes in its own memory and in the address space is not undone between runs.
NORN_EXPORT void* dlopen(const char* file, int mode) noexcept {
  const void* site = NORN_BARE_SITE;
  const auto open = NORN_REAL(dlopen);
  if (controlled() && run().options().isolation != "fork" && file != nullptr &&
      open(file, mode | RTLD_NOLOAD) == nullptr)
    run().cut_uncontrolled("the program loads a library while it runs (dlopen): use --isolation fork", site);
  return open(file, mode);
}

NORN_EXPORT void exit(int code) {
  if (controlled()) exit_process(code, true, NORN_SITE);
  NORN_REAL(exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void _exit(int code) {
  if (controlled()) exit_process(code, false, NORN_SITE);
  NORN_REAL(_exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void _Exit(int code) {
  if (controlled()) exit_process(code, false, NORN_SITE);
  NORN_REAL(_exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void quick_exit(int code) {
  if (controlled()) {
    exec::run_exit_handlers(exec::ExitKind::quick);
    exit_process(code, false, NORN_SITE);
  }
  NORN_REAL(quick_exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void abort() {
  if (controlled()) run().end_run(End::abort, NORN_SITE, "abort() was called");
  NORN_REAL(abort)();
  __builtin_unreachable();
}

NORN_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  if (controlled()) run().end_run(End::assertion, NORN_SITE, fmt::format("assertion `{}` failed", expression));
  NORN_REAL(__assert_fail)(expression, file, line, function);
  __builtin_unreachable();
}

/// atexit and static destructors. Those from before the first run belong to every run. What the C++ library tidies
/// up for itself is not part of the program.
NORN_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* module) {
  using Register = int(void (*)(void*), void*, void*);
  static Register* real = nullptr;
  if (exec::phase != exec::Phase::norn && !exec::in_compiler_library(module))
    exec::register_exit_handler(exec::ExitKind::ordinary, function, argument);
  if (controlled()) return 0;
  if (real == nullptr) real = reinterpret_cast<Register*>(exec::next_definition("__cxa_atexit"));
  return real(function, argument, module);
}

NORN_EXPORT int __cxa_at_quick_exit(void (*function)(void*), void* module) {
  using Register = int(void (*)(void*), void*);
  if (exec::phase != exec::Phase::norn) exec::register_exit_handler(exec::ExitKind::quick, function, nullptr);
  if (controlled()) return 0;
  return reinterpret_cast<Register*>(exec::next_definition("__cxa_at_quick_exit"))(function, module);
}

NORN_EXPORT int on_exit(void (*function)(int, void*), void* argument) noexcept {
  if (controlled()) run().cut_uncontrolled("the program registers an exit handler with on_exit", NORN_SITE);
  return NORN_REAL(on_exit)(function, argument);
}

// Other processes. A child would be a copy of the explorer.

NORN_EXPORT pid_t fork() noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a process (fork)", NORN_SITE);
  return NORN_REAL(fork)();
}

NORN_EXPORT pid_t vfork() noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a process (vfork)", NORN_SITE);
  return NORN_REAL(fork)();  // the real one cannot be called from a function that returns
}

NORN_EXPORT int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a process (clone)", NORN_SITE);
  va_list rest;
  va_start(rest, argument);
  void* more[3];
  for (void*& one : more) one = va_arg(rest, void*);
  va_end(rest);
  return NORN_REAL(clone)(function, stack, flags, argument, more[0], more[1], more[2]);
}

NORN_EXPORT int system(const char* command) {
  if (controlled()) run().cut_uncontrolled("the program runs a command (system)", NORN_SITE);
  return NORN_REAL(system)(command);
}

NORN_EXPORT FILE* popen(const char* command, const char* mode) {
  if (controlled()) run().cut_uncontrolled("the program runs a command (popen)", NORN_SITE);
  return NORN_REAL(popen)(command, mode);
}

NORN_EXPORT int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  if (controlled()) run().cut_uncontrolled("the program creates a process (posix_spawn)", NORN_SITE);
  return NORN_REAL(posix_spawn)(pid, path, actions, attributes, arguments, environment);
}

NORN_EXPORT int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  if (controlled()) run().cut_uncontrolled("the program creates a process (posix_spawnp)", NORN_SITE);
  return NORN_REAL(posix_spawnp)(pid, file, actions, attributes, arguments, environment);
}

NORN_EXPORT int execve(const char* path, char* const arguments[], char* const environment[]) noexcept {
  if (controlled()) run().cut_uncontrolled("the program replaces itself (execve)", NORN_SITE);
  return NORN_REAL(execve)(path, arguments, environment);
}

NORN_EXPORT int execv(const char* path, char* const arguments[]) noexcept { return execve(path, arguments, environ); }

NORN_EXPORT int execvp(const char* file, char* const arguments[]) noexcept {
  if (controlled()) run().cut_uncontrolled("the program replaces itself (execvp)", NORN_SITE);
  return NORN_REAL(execvp)(file, arguments);
}

NORN_EXPORT int execvpe(const char* file, char* const arguments[], char* const environment[]) noexcept {
  if (controlled()) run().cut_uncontrolled("the program replaces itself (execvpe)", NORN_SITE);
  return NORN_REAL(execvpe)(file, arguments, environment);
}

namespace {

/// The arguments of execl and its like as an array.
std::vector<char*> collect(const char* first, va_list rest) {
  std::vector<char*> words{const_cast<char*>(first)};
  while (words.back() != nullptr) words.push_back(va_arg(rest, char*));
  return words;
}

}  // namespace

NORN_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const int result = execve(path, collect(first, rest).data(), environ);
  va_end(rest);
  return result;
}

NORN_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const int result = execvp(file, collect(first, rest).data());
  va_end(rest);
  return result;
}

NORN_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  if (controlled()) run().cut_uncontrolled("the program waits for a process (waitpid)", NORN_SITE);
  return NORN_REAL(waitpid)(pid, status, options);
}

// Signals. Delivery between threads is not explored; a fatal signal that a thread sends to itself ends the run.

NORN_EXPORT int raise(int number) noexcept {
  if (!controlled()) return NORN_REAL(raise)(number);
  if (number == SIGABRT) run().end_run(End::abort, NORN_SITE, "the program raised SIGABRT");
  run().cut_uncontrolled("the program raises a signal (raise)", NORN_SITE);
}

NORN_EXPORT int kill(pid_t pid, int number) noexcept {
  if (controlled()) run().cut_uncontrolled("the program sends a signal (kill)", NORN_SITE);
  return NORN_REAL(kill)(pid, number);
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

NORN_EXPORT pid_t gettid() noexcept {
  if (controlled()) return getpid() + self();
  return NORN_REAL(gettid)();
}
