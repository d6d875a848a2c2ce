// The rest of the functions on texts and blocks of memory, beside strings.cpp: those that search, compare by other
// orders, or copy in unusual ways.

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

/// From one byte to another, which is the last.
void reads_from_to(const void* first, const void* last, const Caller& caller) {
  reads(first, static_cast<std::size_t>(static_cast<const char*>(last) - static_cast<const char*>(first)) + 1, caller);
}

/// Who finds nothing has read everything.
void reads_until_found(const char* text, const char* found, const Caller& caller) {
  found != nullptr ? reads_from_to(text, found, caller) : reads_string(text, caller);
}

/// Takes a block apart at the first byte of a kind: how much of it has to be looked at.
std::size_t length_until(const void* block, int last, std::size_t size) {
  const void* found = std::memchr(block, last, size);
  return found == nullptr
             ? size
             : static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(block)) + 1;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

// Those that search have two declarations in C++, which the macro for the real function cannot choose from.

NORN_EXPORT char* norn_strpbrk(const char* text, const char* accepted) asm("strpbrk");
char* norn_strpbrk(const char* text, const char* accepted) {
  char* found = norn::exec::real<char*(const char*, const char*), "strpbrk">()(text, accepted);
  reads_until_found(text, found, NORN_CALLER);
  reads_string(accepted, NORN_CALLER);
  return found;
}

NORN_EXPORT char* norn_strcasestr(const char* text, const char* part) asm("strcasestr");
char* norn_strcasestr(const char* text, const char* part) {
  reads_string(text, NORN_CALLER);
  reads_string(part, NORN_CALLER);
  return norn::exec::real<char*(const char*, const char*), "strcasestr">()(text, part);
}

NORN_EXPORT char* norn_strchrnul(const char* text, int c) asm("strchrnul");
char* norn_strchrnul(const char* text, int c) {
  char* found = norn::exec::real<char*(const char*, int), "strchrnul">()(text, c);
  reads_from_to(text, found, NORN_CALLER);
  return found;
}

NORN_EXPORT void* norn_rawmemchr(const void* block, int c) asm("rawmemchr");
void* norn_rawmemchr(const void* block, int c) {
  void* found = norn::exec::real<void*(const void*, int), "rawmemchr">()(block, c);
  reads_from_to(block, found, NORN_CALLER);
  return found;
}

NORN_EXPORT void* norn_memrchr(const void* block, int c, std::size_t size) asm("memrchr");
void* norn_memrchr(const void* block, int c, std::size_t size) {
  void* found = norn::exec::real<void*(const void*, int, std::size_t), "memrchr">()(block, c, size);
  if (size != 0)
    reads_from_to(found != nullptr ? found : block, static_cast<const char*>(block) + size - 1, NORN_CALLER);
  return found;
}

NORN_EXPORT void* memmem(const void* block, std::size_t size, const void* part, std::size_t part_size) noexcept {
  void* found = NORN_REAL(memmem)(block, size, part, part_size);
  reads(part, part_size, NORN_CALLER);
  const auto before = static_cast<std::size_t>(static_cast<char*>(found) - static_cast<const char*>(block));
  reads(block, found == nullptr ? size : before + part_size, NORN_CALLER);
  return found;
}

/// The separator becomes the end of the part that is returned.
NORN_EXPORT char* strsep(char** rest, const char* separators) noexcept {
  char* const text = *rest;
  writes(rest, sizeof *rest, NORN_CALLER);
  if (text != nullptr) {
    reads_string(separators, NORN_CALLER);
    const std::size_t length = NORN_REAL(strcspn)(text, separators);
    reads(text, length + 1, NORN_CALLER);
    if (text[length] != 0) writes(text + length, 1, NORN_CALLER);
  }
  return NORN_REAL(strsep)(rest, separators);
}

NORN_EXPORT char* strndup(const char* text, std::size_t limit) noexcept {
  reads_string(text, limit, NORN_CALLER);
  return NORN_REAL(strndup)(text, limit);
}

NORN_EXPORT char* stpncpy(char* to, const char* from, std::size_t size) noexcept {
  reads_string(from, size, NORN_CALLER);
  writes(to, size, NORN_CALLER);
  return NORN_REAL(stpncpy)(to, from, size);
}

NORN_EXPORT void* memccpy(void* to, const void* from, int last, std::size_t size) noexcept {
  const std::size_t length = length_until(from, last, size);
  reads(from, length, NORN_CALLER);
  writes(to, length, NORN_CALLER);
  return NORN_REAL(memccpy)(to, from, last, size);
}

/// A byte that has no other to change places with stays behind.
NORN_EXPORT void swab(const void* from, void* to, ssize_t size) noexcept {
  const std::size_t pairs = size > 0 ? static_cast<std::size_t>(size) / 2 : 0;
  reads(from, 2 * pairs, NORN_CALLER);
  writes(to, 2 * pairs, NORN_CALLER);
  NORN_REAL(swab)(from, to, size);
}

NORN_EXPORT void explicit_bzero(void* to, std::size_t size) noexcept {
  writes(to, size, NORN_CALLER);
  NORN_REAL(explicit_bzero)(to, size);
}

NORN_EXPORT int strcoll(const char* a, const char* b) noexcept {
  reads_string(a, NORN_CALLER);
  reads_string(b, NORN_CALLER);
  return NORN_REAL(strcoll)(a, b);
}

NORN_EXPORT int strverscmp(const char* a, const char* b) noexcept {
  reads_string(a, NORN_CALLER);
  reads_string(b, NORN_CALLER);
  return NORN_REAL(strverscmp)(a, b);
}

/// If there is not enough room, what is there in the end is nobody's business.
NORN_EXPORT std::size_t strxfrm(char* to, const char* from, std::size_t room) noexcept {
  reads_string(from, NORN_CALLER);
  const std::size_t length = NORN_REAL(strxfrm)(to, from, room);
  writes(to, std::min(room, length + 1), NORN_CALLER);
  return length;
}

// What the C library says of errors. It has most of these texts already.

NORN_EXPORT char* strerror_r(int error, char* buffer, std::size_t room) noexcept {
  char* text = NORN_REAL(strerror_r)(error, buffer, room);
  if (text == buffer && room != 0) wrote_text(buffer, NORN_CALLER);
  return text;
}

/// What it is outside of GNU's own dialect.
NORN_EXPORT int norn_posix_strerror_r(int error, char* buffer, std::size_t room) asm("__xpg_strerror_r");
int norn_posix_strerror_r(int error, char* buffer, std::size_t room) {
  const int result = norn::exec::real<int(int, char*, std::size_t), "__xpg_strerror_r">()(error, buffer, room);
  if (room != 0) wrote_text(buffer, NORN_CALLER);
  return result;
}
