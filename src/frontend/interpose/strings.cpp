// memcpy, strlen and their like: they access memory on the program's behalf.

#include <cctype>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <cwchar>

#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

using namespace norn::frontend;

NORN_EXPORT void* memcpy(void* to, const void* from, std::size_t size) {
  reads(from, size, NORN_CALLER);
  writes(to, size, NORN_CALLER);
  return NORN_REAL(memcpy)(to, from, size);
}

NORN_EXPORT void* memmove(void* to, const void* from, std::size_t size) {
  reads(from, size, NORN_CALLER);
  writes(to, size, NORN_CALLER);
  return NORN_REAL(memmove)(to, from, size);
}

NORN_EXPORT void* mempcpy(void* to, const void* from, std::size_t size) {
  reads(from, size, NORN_CALLER);
  writes(to, size, NORN_CALLER);
  return NORN_REAL(mempcpy)(to, from, size);
}

NORN_EXPORT void* memset(void* to, int value, std::size_t size) {
  writes(to, size, NORN_CALLER);
  return NORN_REAL(memset)(to, value, size);
}

// Clang calls these instead.

NORN_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  reads(from, size, NORN_CALLER);
  writes(to, size, NORN_CALLER);
  return NORN_REAL(memcpy)(to, from, size);
}

NORN_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  reads(from, size, NORN_CALLER);
  writes(to, size, NORN_CALLER);
  return NORN_REAL(memmove)(to, from, size);
}

NORN_EXPORT void* __tsan_memset(void* to, int value, std::size_t size) {
  writes(to, size, NORN_CALLER);
  return NORN_REAL(memset)(to, value, size);
}

NORN_EXPORT int memcmp(const void* a, const void* b, std::size_t size) {
  reads(a, size, NORN_CALLER);
  reads(b, size, NORN_CALLER);
  return NORN_REAL(memcmp)(a, b, size);
}

NORN_EXPORT int bcmp(const void* a, const void* b, std::size_t size) {
  reads(a, size, NORN_CALLER);
  reads(b, size, NORN_CALLER);
  return NORN_REAL(memcmp)(a, b, size);
}

NORN_EXPORT void bzero(void* to, std::size_t size) {
  writes(to, size, NORN_CALLER);
  NORN_REAL(memset)(to, 0, size);
}

/// What is before the byte that it finds is read, and that byte.
NORN_EXPORT void* norn_memchr(const void* text, int c, std::size_t size) asm("memchr");
void* norn_memchr(const void* text, int c, std::size_t size) {
  void* found = norn::exec::real<void*(const void*, int, std::size_t), "memchr">()(text, c, size);
  const auto length = static_cast<char*>(found) - static_cast<const char*>(text);
  reads(text, found == nullptr ? size : static_cast<std::size_t>(length) + 1, NORN_CALLER);
  return found;
}

NORN_EXPORT std::size_t strlen(const char* text) {
  reads_string(text, NORN_CALLER);
  return NORN_REAL(strlen)(text);
}

NORN_EXPORT std::size_t strnlen(const char* text, std::size_t limit) {
  reads_string(text, limit, NORN_CALLER);
  return NORN_REAL(strnlen)(text, limit);
}

NORN_EXPORT char* strcpy(char* to, const char* from) {
  reads_string(from, NORN_CALLER);
  writes(to, NORN_REAL(strlen)(from) + 1, NORN_CALLER);
  return NORN_REAL(strcpy)(to, from);
}

NORN_EXPORT char* stpcpy(char* to, const char* from) {
  reads_string(from, NORN_CALLER);
  writes(to, NORN_REAL(strlen)(from) + 1, NORN_CALLER);
  return NORN_REAL(stpcpy)(to, from);
}

NORN_EXPORT char* strncpy(char* to, const char* from, std::size_t size) {
  reads_string(from, size, NORN_CALLER);
  writes(to, size, NORN_CALLER);
  return NORN_REAL(strncpy)(to, from, size);
}

NORN_EXPORT char* strcat(char* to, const char* from) {
  reads_string(from, NORN_CALLER);
  reads_string(to, NORN_CALLER);
  writes(to + NORN_REAL(strlen)(to), NORN_REAL(strlen)(from) + 1, NORN_CALLER);
  return NORN_REAL(strcat)(to, from);
}

NORN_EXPORT char* strncat(char* to, const char* from, std::size_t size) {
  reads_string(from, size, NORN_CALLER);
  reads_string(to, NORN_CALLER);
  writes(to + NORN_REAL(strlen)(to), NORN_REAL(strnlen)(from, size) + 1, NORN_CALLER);
  return NORN_REAL(strncat)(to, from, size);
}

namespace {

/// They are read until they differ or end.
template <typename Same>
void reads_until_different(const char* a, const char* b, std::size_t limit, const Caller& caller, Same same) {
  if (!caller.is_watched()) return;
  std::size_t size = 0;
  while (size < limit && same(a[size], b[size]) && a[size] != 0) ++size;
  if (size < limit) ++size;
  reads(a, size, caller);
  reads(b, size, caller);
}

constexpr auto equal = [](char a, char b) { return a == b; };
constexpr auto equal_letters = [](char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
};

}  // namespace

NORN_EXPORT int strcmp(const char* a, const char* b) {
  reads_until_different(a, b, SIZE_MAX, NORN_CALLER, equal);
  return NORN_REAL(strcmp)(a, b);
}

NORN_EXPORT int strncmp(const char* a, const char* b, std::size_t size) {
  reads_until_different(a, b, size, NORN_CALLER, equal);
  return NORN_REAL(strncmp)(a, b, size);
}

NORN_EXPORT int strcasecmp(const char* a, const char* b) {
  reads_until_different(a, b, SIZE_MAX, NORN_CALLER, equal_letters);
  return NORN_REAL(strcasecmp)(a, b);
}

NORN_EXPORT int strncasecmp(const char* a, const char* b, std::size_t size) {
  reads_until_different(a, b, size, NORN_CALLER, equal_letters);
  return NORN_REAL(strncasecmp)(a, b, size);
}

NORN_EXPORT char* strdup(const char* text) {
  reads_string(text, NORN_CALLER);
  return NORN_REAL(strdup)(text);
}

// These have two declarations in C++, which the macro for the real function cannot choose from.

/// What comes after the character that it finds is not read.
NORN_EXPORT char* norn_strchr(const char* text, int c) asm("strchr");
char* norn_strchr(const char* text, int c) {
  char* found = norn::exec::real<char*(const char*, int), "strchr">()(text, c);
  if (found == nullptr) {
    reads_string(text, NORN_CALLER);
  } else {
    reads(text, static_cast<std::size_t>(found - text) + 1, NORN_CALLER);
  }
  return found;
}

NORN_EXPORT char* norn_strrchr(const char* text, int c) asm("strrchr");
char* norn_strrchr(const char* text, int c) {
  reads_string(text, NORN_CALLER);
  return norn::exec::real<char*(const char*, int), "strrchr">()(text, c);
}

NORN_EXPORT char* norn_strstr(const char* text, const char* part) asm("strstr");
char* norn_strstr(const char* text, const char* part) {
  reads_string(text, NORN_CALLER);
  reads_string(part, NORN_CALLER);
  return norn::exec::real<char*(const char*, const char*), "strstr">()(text, part);
}

/// Sorting goes through a copy of everything.
NORN_EXPORT void qsort(void* begin, std::size_t count, std::size_t size, __compar_fn_t compare) {
  reads(begin, count * size, NORN_CALLER);
  if (count > 1) writes(begin, count * size, NORN_CALLER);
  NORN_REAL(qsort)(begin, count, size, compare);
}

NORN_EXPORT void qsort_r(void* begin, std::size_t count, std::size_t size, __compar_d_fn_t compare, void* argument) {
  reads(begin, count * size, NORN_CALLER);
  if (count > 1) writes(begin, count * size, NORN_CALLER);
  NORN_REAL(qsort_r)(begin, count, size, compare, argument);
}
