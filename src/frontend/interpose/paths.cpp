// Functions of the C library and of the system that are given names, of files for instance, or tell some.

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "exec/snapshot.hpp"
#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

/// The system writes to memory that may still be protected.
void will_write(void* memory, std::size_t size) {
  if (memory != nullptr && controlled()) exec::touch(memory, size);
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT char* getenv(const char* name) noexcept {
  reads_string(name, NORN_CALLER);
  return NORN_REAL(getenv)(name);
}

#define NORN_TAKES_PATH(NAME)                       \
  NORN_EXPORT int NAME(const char* path) noexcept { \
    reads_path(path, NORN_CALLER);                  \
    return NORN_REAL(NAME)(path);                   \
  }
NORN_TAKES_PATH(remove)
NORN_TAKES_PATH(unlink)
NORN_TAKES_PATH(rmdir)

NORN_EXPORT int mkdir(const char* path, mode_t mode) noexcept {
  reads_path(path, NORN_CALLER);
  return NORN_REAL(mkdir)(path, mode);
}

NORN_EXPORT int access(const char* path, int mode) noexcept {
  reads_path(path, NORN_CALLER);
  return NORN_REAL(access)(path, mode);
}

NORN_EXPORT int rename(const char* path, const char* new_path) noexcept {
  reads_path(path, NORN_CALLER);
  reads_path(new_path, NORN_CALLER);
  return NORN_REAL(rename)(path, new_path);
}

#define NORN_TELLS_STATUS(NAME, STATUS)                             \
  NORN_EXPORT int NAME(const char* path, STATUS* status) noexcept { \
    reads_path(path, NORN_CALLER);                                  \
    will_write(status, sizeof *status);                             \
    const int result = NORN_REAL(NAME)(path, status);               \
    if (result == 0) writes(status, sizeof *status, NORN_CALLER);   \
    return result;                                                  \
  }
NORN_TELLS_STATUS(stat, struct stat)
NORN_TELLS_STATUS(lstat, struct stat)
NORN_TELLS_STATUS(stat64, struct stat64)
NORN_TELLS_STATUS(lstat64, struct stat64)

#define NORN_TELLS_STATUS_OF_OPEN(NAME, STATUS)                   \
  NORN_EXPORT int NAME(int descriptor, STATUS* status) noexcept { \
    will_write(status, sizeof *status);                           \
    const int result = NORN_REAL(NAME)(descriptor, status);       \
    if (result == 0) writes(status, sizeof *status, NORN_CALLER); \
    return result;                                                \
  }
NORN_TELLS_STATUS_OF_OPEN(fstat, struct stat)
NORN_TELLS_STATUS_OF_OPEN(fstat64, struct stat64)

NORN_EXPORT char* getcwd(char* buffer, std::size_t room) noexcept {
  will_write(buffer, std::min<std::size_t>(room, PATH_MAX));
  char* text = NORN_REAL(getcwd)(buffer, room);
  if (buffer != nullptr) wrote_text(text, NORN_CALLER);
  return text;
}

NORN_EXPORT char* realpath(const char* path, char* buffer) noexcept {
  reads_path(path, NORN_CALLER);
  char* text = NORN_REAL(realpath)(path, buffer);
  if (buffer != nullptr) wrote_text(text, NORN_CALLER);
  return text;
}

NORN_EXPORT ssize_t readlink(const char* path, char* buffer, std::size_t room) noexcept {
  reads_path(path, NORN_CALLER);
  will_write(buffer, std::min<std::size_t>(room, PATH_MAX));
  const ssize_t size = NORN_REAL(readlink)(path, buffer, room);
  if (size > 0) writes(buffer, static_cast<std::size_t>(size), NORN_CALLER);
  return size;
}

NORN_EXPORT int gethostname(char* buffer, std::size_t room) noexcept {
  const int result = NORN_REAL(gethostname)(buffer, room);
  if (result == 0) wrote_text(buffer, NORN_CALLER);
  return result;
}
