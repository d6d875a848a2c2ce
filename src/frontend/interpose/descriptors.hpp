#pragma once

// What runs open.

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {

inline int descriptor_of(int descriptor) { return descriptor; }
inline int descriptor_of(FILE* file) { return file == nullptr ? -1 : fileno(file); }
inline int descriptor_of(DIR* directory) { return directory == nullptr ? -1 : dirfd(directory); }

/// Whether nobody has to wait for anybody there.
inline bool is_plain_file(int descriptor) {
  struct stat status {};
  return NORN_REAL(fstat)(descriptor, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) ||
         (S_ISCHR(status.st_mode) && isatty(descriptor) == 0);
}

/// Before a call that may wait until `descriptor` is ready for `events`.
inline void before_waiting(int descriptor, short events, std::string_view what, const void* site) {
  if (is_plain_file(descriptor)) return;
  pollfd ready{descriptor, events, 0};
  if (NORN_REAL(poll)(&ready, 1, 0) == 0) run().cut_uncontrolled(what, site);
  run().record().note(what);
}

template <typename Result>
Result opened(Result result) {
  if (controlled()) exec::note_opened_file();
  if (exec::phase == exec::Phase::native) exec::note_early_file(descriptor_of(result));
  return result;
}

/// What has no place to go back to, or shares it with another descriptor, perhaps with another process.
inline int opened_elsewhere(int result) {
  if (controlled()) exec::note_opened_file();
  return result;
}

/// Whether what the caller does to its process would be there in the next run: not if that is another process.
inline bool outlives_run() { return controlled() && run().options().isolation != "fork"; }

}  // namespace norn::frontend
