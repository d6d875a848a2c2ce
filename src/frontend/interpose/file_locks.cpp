// Locks of files. Those that belong to an open file (flock, F_OFD_SETLKW) keep threads from each other, but nobody
// explores who gets them. Those that belong to the process (lockf, F_SETLKW) are only held against other processes.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "frontend/interpose/file_locks.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

void note_lock(std::string_view what) {
  if (run().others_alive()) run().record().note(what);
}

bool is_taken(int result) { return result != 0 && (errno == EWOULDBLOCK || errno == EAGAIN || errno == EACCES); }

}  // namespace

int lock_by_fcntl(int descriptor, int command, void* argument, const void* site) {
  const bool of_open_file = command == F_OFD_SETLK || command == F_OFD_SETLKW;
  if (of_open_file) note_lock("the program locks files while it has several threads (fcntl)");
  const bool waits = command == F_SETLKW || command == F_OFD_SETLKW;
  if (!waits) return NORN_REAL(fcntl)(descriptor, command, argument);
  const int result = NORN_REAL(fcntl)(descriptor, of_open_file ? F_OFD_SETLK : F_SETLK, argument);
  if (is_taken(result)) run().cut_uncontrolled("the program waits for a locked file (fcntl)", site);
  return result;
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int flock(int descriptor, int operation) noexcept {
  if (!controlled()) return NORN_REAL(flock)(descriptor, operation);
  note_lock("the program locks files while it has several threads (flock)");
  const int result = NORN_REAL(flock)(descriptor, operation | LOCK_NB);
  if (is_taken(result) && (operation & LOCK_NB) == 0)
    run().cut_uncontrolled("the program waits for a locked file (flock)", NORN_SITE);
  return result;
}

#define NORN_LOCKF(name, offset_type)                                                                       \
  NORN_EXPORT int name(int descriptor, int command, offset_type size) {                                     \
    if (!controlled() || command != F_LOCK) return NORN_REAL(name)(descriptor, command, size);              \
    const int result = NORN_REAL(name)(descriptor, F_TLOCK, size);                                          \
    if (is_taken(result)) run().cut_uncontrolled("the program waits for a locked file (lockf)", NORN_SITE); \
    return result;                                                                                          \
  }

NORN_LOCKF(lockf, off_t)
NORN_LOCKF(lockf64, off64_t)
