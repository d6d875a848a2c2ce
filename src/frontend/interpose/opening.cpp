// What opens files, sockets and pipes. What a run opens is closed after it.

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdarg>

#include "exec/snapshot.hpp"
#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

int descriptor_of(int descriptor) { return descriptor; }
int descriptor_of(FILE* file) { return file == nullptr ? -1 : fileno(file); }
int descriptor_of(DIR* directory) { return directory == nullptr ? -1 : dirfd(directory); }

template <typename Result>
Result opened(Result result) {
  if (controlled()) exec::note_opened_file();
  if (exec::phase == exec::Phase::native) exec::note_early_file(descriptor_of(result));
  return result;
}

/// What has no place to go back to, or shares it with another descriptor, perhaps with another process.
int opened_elsewhere(int result) {
  if (controlled()) exec::note_opened_file();
  return result;
}

mode_t mode_argument(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int open(const char* path, int flags, ...) {
  reads_path(path, NORN_CALLER);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return opened(NORN_REAL(open)(path, flags, mode));
}

NORN_EXPORT int open64(const char* path, int flags, ...) {
  reads_path(path, NORN_CALLER);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return opened(NORN_REAL(open)(path, flags, mode));
}

NORN_EXPORT int openat(int directory, const char* path, int flags, ...) {
  reads_path(path, NORN_CALLER);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return opened(NORN_REAL(openat)(directory, path, flags, mode));
}

NORN_EXPORT FILE* fopen(const char* path, const char* mode) {
  reads_path(path, NORN_CALLER);
  return opened(NORN_REAL(fopen)(path, mode));
}

NORN_EXPORT FILE* fopen64(const char* path, const char* mode) {
  reads_path(path, NORN_CALLER);
  return opened(NORN_REAL(fopen)(path, mode));
}

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
