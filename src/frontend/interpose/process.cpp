// Other processes. A child would be a copy of the explorer.

#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <cstdarg>
#include <string_view>
#include <vector>

#include "frontend/interpose/interpose.hpp"

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT pid_t fork() noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a process (fork)", NORN_SITE);
  return NORN_REAL(fork)();
}

NORN_EXPORT pid_t _Fork() noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a process (_Fork)", NORN_SITE);
  return NORN_REAL(_Fork)();
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

NORN_EXPORT int daemon(int keeps_directory, int keeps_output) noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a process (daemon)", NORN_SITE);
  return NORN_REAL(daemon)(keeps_directory, keeps_output);
}

NORN_EXPORT pid_t forkpty(int* descriptor, char* name, const termios* settings, const winsize* size) noexcept {
  if (controlled()) run().cut_uncontrolled("the program creates a process (forkpty)", NORN_SITE);
  return NORN_REAL(forkpty)(descriptor, name, settings, size);
}

NORN_EXPORT int system(const char* command) {
  if (controlled()) run().cut_uncontrolled("the program runs a command (system)", NORN_SITE);
  return NORN_REAL(system)(command);
}

NORN_EXPORT FILE* popen(const char* command, const char* mode) {
  if (controlled()) run().cut_uncontrolled("the program runs a command (popen)", NORN_SITE);
  return NORN_REAL(popen)(command, mode);
}

/// Words without commands are looked up and put together by the C library alone.
NORN_EXPORT int wordexp(const char* words, wordexp_t* result, int flags) {
  const bool runs_command =
      (flags & WRDE_NOCMD) == 0 && std::string_view(words).find_first_of("`(") != std::string_view::npos;
  if (controlled() && runs_command) run().cut_uncontrolled("the program runs a command (wordexp)", NORN_SITE);
  return NORN_REAL(wordexp)(words, result, flags);
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

NORN_EXPORT int fexecve(int descriptor, char* const arguments[], char* const environment[]) noexcept {
  if (controlled()) run().cut_uncontrolled("the program replaces itself (fexecve)", NORN_SITE);
  return NORN_REAL(fexecve)(descriptor, arguments, environment);
}

NORN_EXPORT int execveat(int directory, const char* path, char* const arguments[], char* const environment[],
                         int flags) noexcept {
  if (controlled()) run().cut_uncontrolled("the program replaces itself (execveat)", NORN_SITE);
  return NORN_REAL(execveat)(directory, path, arguments, environment, flags);
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
std::vector<char*> collect(const char* first, va_list& rest) {
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

/// The environment comes after the arguments.
NORN_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = collect(first, rest);
  char* const* const environment = va_arg(rest, char* const*);
  va_end(rest);
  return execve(path, arguments.data(), environment);
}

NORN_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  if (controlled()) run().cut_uncontrolled("the program waits for a process (waitpid)", NORN_SITE);
  return NORN_REAL(waitpid)(pid, status, options);
}

NORN_EXPORT pid_t gettid() noexcept {
  if (controlled()) return getpid() + self();
  return NORN_REAL(gettid)();
}
