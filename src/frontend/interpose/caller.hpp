#pragma once

// For functions of the C library that access memory on the program's behalf.

#include <cstring>

#include "exec/backtrace.hpp"
#include "frontend/interpose/accesses.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {

/// Where such a function was called. Norn itself calls them too, so the end of the program's stack is only noted when
/// it was the program (or a library that works for it).
struct Caller {
  const void* site;
  void* frame;

  [[nodiscard]] bool is_watched() const {
    if (exec::accessor.key == 0 || exec::in_norn(site)) return false;
    exec::program_frame = frame;
    return true;
  }
};

#define NORN_CALLER (Caller{__builtin_return_address(0), __builtin_dwarf_cfa()})

inline void reads(const void* address, std::size_t size, const Caller& caller) {
  if (caller.is_watched()) access_range(address, size, false, caller.site);
}

inline void writes(const void* address, std::size_t size, const Caller& caller) {
  if (caller.is_watched()) access_range(address, size, true, caller.site);
}

/// With the zero at the end.
inline void reads_string(const char* text, const Caller& caller) {
  if (caller.is_watched()) access_range(text, NORN_REAL(strlen)(text) + 1, false, caller.site);
}

/// At most `limit` characters of it.
inline void reads_string(const char* text, std::size_t limit, const Caller& caller) {
  if (!caller.is_watched()) return;
  const std::size_t length = NORN_REAL(strnlen)(text, limit);
  access_range(text, length < limit ? length + 1 : limit, false, caller.site);
}

/// Where there is none, the system refuses.
inline void reads_path(const char* path, const Caller& caller) {
  if (path != nullptr) reads_string(path, caller);
}

/// A text was written, with the zero at the end, if there is one.
inline char* wrote_text(char* text, const Caller& caller) {
  if (text != nullptr) writes(text, NORN_REAL(strlen)(text) + 1, caller);
  return text;
}

}  // namespace norn::frontend
