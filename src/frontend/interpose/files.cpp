// Opening and closing files and what else has a descriptor. What a run opens is closed after it.

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdarg>
#include <string_view>

#include "exec/backtrace.hpp"
#include "exec/snapshot.hpp"
#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/descriptors.hpp"
#include "frontend/interpose/file_locks.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

mode_t mode_argument(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

/// The numbers there are others in every run. The C++ library opens it for std::random_device, too (with `open`), and
/// then does not read there.
void note_random_file(const char* path, const void* opener = nullptr) {
  if (!controlled() || path == nullptr) return;
  const std::string_view name = path;
  if (name != "/dev/urandom" && name != "/dev/random") return;
  if (opener != nullptr && exec::in_compiler_library(opener)) return;
  run().record().note("the program reads random numbers that are others in every run (/dev/urandom)");
}

/// What is read and written by way of a stream goes past the functions that would see it.
FILE* opened_as_stream(FILE* file) {
  if (controlled() && file != nullptr && !is_plain_file(fileno(file)))
    run().record().note("the program uses a pipe, socket or terminal as a stream (fdopen)");
  return opened(file);
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int close(int descriptor) {
  if (outlives_run() && exec::was_open_before(descriptor))
    run().cut_uncontrolled("the program closes a file that it has not opened (close)", NORN_SITE);
  return NORN_REAL(close)(descriptor);
}

/// The next run needs what was open before, the standard streams for instance: closing that is writing what is left.
NORN_EXPORT int fclose(FILE* file) {
  const bool stays = outlives_run() && file != nullptr && exec::was_open_before(fileno(file));
  return stays ? NORN_REAL(fflush)(file) : NORN_REAL(fclose)(file);
}

NORN_EXPORT int dup2(int from, int to) noexcept {
  if (outlives_run() && exec::was_open_before(to))
    run().cut_uncontrolled("the program replaces a file that it has not opened (dup2)", NORN_SITE);
  return opened_elsewhere(NORN_REAL(dup2)(from, to));
}

// All files may be large, and `open64` and its like are others only by name. What headers make of `open` with
// _FORTIFY_SOURCE has no mode.

#define NORN_OPEN(name)                                       \
  NORN_EXPORT int name(const char* path, int flags, ...) {    \
    reads_path(path, NORN_CALLER);                            \
    note_random_file(path, NORN_BARE_SITE);                   \
    va_list arguments;                                        \
    va_start(arguments, flags);                               \
    const mode_t mode = mode_argument(flags, arguments);      \
    va_end(arguments);                                        \
    return opened(NORN_REAL(open)(path, flags, mode));        \
  }                                                           \
  NORN_EXPORT int __##name##_2(const char* path, int flags) { \
    reads_path(path, NORN_CALLER);                            \
    note_random_file(path, NORN_BARE_SITE);                   \
    return opened(NORN_REAL(open)(path, flags, 0));           \
  }

#define NORN_OPENAT(name)                                                    \
  NORN_EXPORT int name(int directory, const char* path, int flags, ...) {    \
    reads_path(path, NORN_CALLER);                                           \
    note_random_file(path);                                                  \
    va_list arguments;                                                       \
    va_start(arguments, flags);                                              \
    const mode_t mode = mode_argument(flags, arguments);                     \
    va_end(arguments);                                                       \
    return opened(NORN_REAL(openat)(directory, path, flags, mode));          \
  }                                                                          \
  NORN_EXPORT int __##name##_2(int directory, const char* path, int flags) { \
    reads_path(path, NORN_CALLER);                                           \
    note_random_file(path);                                                  \
    return opened(NORN_REAL(openat)(directory, path, flags, 0));             \
  }

#define NORN_FOPEN(name)                                       \
  NORN_EXPORT FILE* name(const char* path, const char* mode) { \
    reads_path(path, NORN_CALLER);                             \
    note_random_file(path);                                    \
    return opened_as_stream(NORN_REAL(fopen)(path, mode));     \
  }

#define NORN_CREAT(name)                                \
  NORN_EXPORT int name(const char* path, mode_t mode) { \
    reads_path(path, NORN_CALLER);                      \
    return opened(NORN_REAL(creat)(path, mode));        \
  }

NORN_OPEN(open)
NORN_OPEN(open64)
NORN_OPENAT(openat)
NORN_OPENAT(openat64)
NORN_FOPEN(fopen)
NORN_FOPEN(fopen64)
NORN_CREAT(creat)
NORN_CREAT(creat64)

NORN_EXPORT FILE* fdopen(int descriptor, const char* mode) noexcept {
  return opened_as_stream(NORN_REAL(fdopen)(descriptor, mode));
}

NORN_EXPORT int mkstemp(char* path) { return opened(NORN_REAL(mkstemp)(path)); }
NORN_EXPORT int mkstemp64(char* path) { return opened(NORN_REAL(mkstemp)(path)); }
NORN_EXPORT int mkostemp(char* path, int flags) { return opened(NORN_REAL(mkostemp)(path, flags)); }
NORN_EXPORT int mkostemp64(char* path, int flags) { return opened(NORN_REAL(mkostemp)(path, flags)); }
NORN_EXPORT int mkstemps(char* path, int suffix) { return opened(NORN_REAL(mkstemps)(path, suffix)); }
NORN_EXPORT int mkstemps64(char* path, int suffix) { return opened(NORN_REAL(mkstemps)(path, suffix)); }
NORN_EXPORT int mkostemps(char* path, int suffix, int flags) {
  return opened(NORN_REAL(mkostemps)(path, suffix, flags));
}
NORN_EXPORT int mkostemps64(char* path, int suffix, int flags) {
  return opened(NORN_REAL(mkostemps)(path, suffix, flags));
}
NORN_EXPORT FILE* tmpfile64() { return opened(NORN_REAL(tmpfile)()); }
NORN_EXPORT FILE* tmpfile() { return opened(NORN_REAL(tmpfile)()); }
NORN_EXPORT DIR* opendir(const char* path) {
  reads_path(path, NORN_CALLER);
  return opened(NORN_REAL(opendir)(path));
}
NORN_EXPORT int dup(int descriptor) noexcept { return opened_elsewhere(NORN_REAL(dup)(descriptor)); }
NORN_EXPORT int socket(int domain, int type, int protocol) noexcept {
  return opened(NORN_REAL(socket)(domain, type, protocol));
}
NORN_EXPORT int eventfd(unsigned value, int flags) noexcept { return opened(NORN_REAL(eventfd)(value, flags)); }
NORN_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  return opened(NORN_REAL(memfd_create)(name, flags));
}
NORN_EXPORT int shm_open(const char* name, int flags, mode_t mode) {
  return opened(NORN_REAL(shm_open)(name, flags, mode));
}
NORN_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  return opened(NORN_REAL(timerfd_create)(clock, flags));
}
NORN_EXPORT int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  return opened(NORN_REAL(signalfd)(descriptor, set, flags));
}
NORN_EXPORT int inotify_init() noexcept { return opened(NORN_REAL(inotify_init)()); }
NORN_EXPORT int inotify_init1(int flags) noexcept { return opened(NORN_REAL(inotify_init1)(flags)); }
NORN_EXPORT int epoll_create(int size) noexcept { return opened(NORN_REAL(epoll_create)(size)); }
NORN_EXPORT int epoll_create1(int flags) noexcept { return opened(NORN_REAL(epoll_create1)(flags)); }

NORN_EXPORT int pipe(int descriptors[2]) noexcept {
  writes(descriptors, 2 * sizeof(int), NORN_CALLER);
  if (controlled()) exec::touch(descriptors, 2 * sizeof(int));
  return opened_elsewhere(NORN_REAL(pipe)(descriptors));
}

NORN_EXPORT int pipe2(int descriptors[2], int flags) noexcept {
  writes(descriptors, 2 * sizeof(int), NORN_CALLER);
  if (controlled()) exec::touch(descriptors, 2 * sizeof(int));
  return opened_elsewhere(NORN_REAL(pipe2)(descriptors, flags));
}

NORN_EXPORT int socketpair(int domain, int type, int protocol, int descriptors[2]) noexcept {
  writes(descriptors, 2 * sizeof(int), NORN_CALLER);
  if (controlled()) exec::touch(descriptors, 2 * sizeof(int));
  return opened_elsewhere(NORN_REAL(socketpair)(domain, type, protocol, descriptors));
}

namespace norn::frontend {
namespace {

/// The flags of a file that was open before outlive the run, even if that has a process of its own, but a new
/// descriptor is the run's.
int control_file(int descriptor, int command, void* argument, const void* site) {
  const bool locks = command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  if (locks && controlled()) return lock_by_fcntl(descriptor, command, argument, site);
  if (command == F_SETFL && controlled() && exec::was_open_before(descriptor)) {
    run().record().note("the program changes the flags of a file that it has not opened (fcntl)");
    const int flags = NORN_REAL(fcntl)(descriptor, F_GETFL);
    exec::undo_after_run([=] { NORN_REAL(fcntl)(descriptor, F_SETFL, flags); });
  }
  const int result = NORN_REAL(fcntl)(descriptor, command, argument);
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? opened_elsewhere(result) : result;
}

}  // namespace
}  // namespace norn::frontend

#define NORN_FCNTL(name)                                           \
  NORN_EXPORT int name(int descriptor, int command, ...) {         \
    va_list arguments;                                             \
    va_start(arguments, command);                                  \
    void* const argument = va_arg(arguments, void*);               \
    va_end(arguments);                                             \
    return control_file(descriptor, command, argument, NORN_SITE); \
  }

NORN_FCNTL(fcntl)
NORN_FCNTL(fcntl64)
