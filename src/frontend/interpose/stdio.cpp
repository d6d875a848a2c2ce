// stdio on buffers of the program: what printf and its like read, and what they write.

#include <stdio.h>

#include <cstdarg>
#include <cstring>

#include "frontend/interpose/accesses.hpp"
#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

/// One conversion of a format: what follows a percent sign.
struct Conversion {
  int stars = 0;       ///< widths and precisions that are arguments
  int precision = -1;  ///< -1: none; -2: an argument
  int longs = 0;       ///< 2: long long, 3: long double
  char letter = 0;     ///< 0: the format ends, or is not understood
};

Conversion parse(const char*& text) {
  Conversion found;
  while (*text != 0 && std::strchr("-+ #0'", *text) != nullptr) ++text;
  if (*text == '*') ++found.stars, ++text;
  while (*text >= '0' && *text <= '9') ++text;
  if (*text == '$') return {};  // numbered arguments
  if (*text == '.') {
    found.precision = 0;
    if (*++text == '*') found.precision = -2, ++text;
    while (*text >= '0' && *text <= '9') found.precision = found.precision * 10 + (*text++ - '0');
  }
  for (; *text != 0 && std::strchr("hlLqjzt", *text) != nullptr; ++text) {
    if (*text == 'l' || *text == 'q') ++found.longs;
    if (*text == 'j' || *text == 'z' || *text == 't') found.longs = 1;
    if (*text == 'L') found.longs = 3;
  }
  found.letter = *text == 0 ? '\0' : *text++;
  return found;
}

/// Takes the argument of a conversion; notes the memory that a string or a counter is.
bool take(const Conversion& conversion, va_list& arguments, const Caller& caller) {
  int precision = conversion.precision;
  for (int i = 0; i < conversion.stars; ++i) va_arg(arguments, int);
  if (precision == -2) precision = va_arg(arguments, int);
  switch (conversion.letter) {
    case '%':
    case 'm': return true;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'c': conversion.longs != 0 ? void(va_arg(arguments, long)) : void(va_arg(arguments, int)); return true;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      conversion.longs == 3 ? void(va_arg(arguments, long double)) : void(va_arg(arguments, double));
      return true;
    case 'p': va_arg(arguments, void*); return true;
    case 'n': writes(va_arg(arguments, void*), sizeof(int), caller); return true;
    case 's': {
      const char* text = va_arg(arguments, const char*);
      if (conversion.longs != 0 || text == nullptr) return true;
      precision < 0 ? reads_string(text, caller) : reads_string(text, static_cast<std::size_t>(precision), caller);
      return true;
    }
    default: return false;
  }
}

/// Notes everything that printing with this format reads.
void reads_arguments(const char* format, va_list arguments, const Caller& caller) {
  if (!caller.is_watched()) return;
  reads_string(format, caller);
  va_list rest;
  va_copy(rest, arguments);
  for (const char* text = format; *text != 0;) {
    if (*text++ != '%') continue;
    const Conversion conversion = parse(text);
    if (!take(conversion, rest, caller)) break;
  }
  va_end(rest);
}

/// What was printed, with the zero at the end, as far as there was room.
int wrote(char* buffer, std::size_t room, int length, const Caller& caller) {
  if (length >= 0 && room != 0)
    writes(buffer, std::min<std::size_t>(room, static_cast<std::size_t>(length) + 1), caller);
  return length;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

NORN_EXPORT int vfprintf(FILE* stream, const char* format, va_list arguments) {
  reads_arguments(format, arguments, NORN_CALLER);
  return NORN_REAL(vfprintf)(stream, format, arguments);
}

NORN_EXPORT int vprintf(const char* format, va_list arguments) {
  reads_arguments(format, arguments, NORN_CALLER);
  return NORN_REAL(vfprintf)(stdout, format, arguments);
}

NORN_EXPORT int fprintf(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_arguments(format, arguments, NORN_CALLER);
  const int length = NORN_REAL(vfprintf)(stream, format, arguments);
  va_end(arguments);
  return length;
}

NORN_EXPORT int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_arguments(format, arguments, NORN_CALLER);
  const int length = NORN_REAL(vfprintf)(stdout, format, arguments);
  va_end(arguments);
  return length;
}

NORN_EXPORT int vsnprintf(char* buffer, std::size_t room, const char* format, va_list arguments) noexcept {
  reads_arguments(format, arguments, NORN_CALLER);
  return wrote(buffer, room, NORN_REAL(vsnprintf)(buffer, room, format, arguments), NORN_CALLER);
}

NORN_EXPORT int snprintf(char* buffer, std::size_t room, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  reads_arguments(format, arguments, NORN_CALLER);
  const int length = NORN_REAL(vsnprintf)(buffer, room, format, arguments);
  va_end(arguments);
  return wrote(buffer, room, length, NORN_CALLER);
}

NORN_EXPORT int vsprintf(char* buffer, const char* format, va_list arguments) noexcept {
  reads_arguments(format, arguments, NORN_CALLER);
  return wrote(buffer, SIZE_MAX, NORN_REAL(vsprintf)(buffer, format, arguments), NORN_CALLER);
}

NORN_EXPORT int sprintf(char* buffer, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  reads_arguments(format, arguments, NORN_CALLER);
  const int length = NORN_REAL(vsprintf)(buffer, format, arguments);
  va_end(arguments);
  return wrote(buffer, SIZE_MAX, length, NORN_CALLER);
}

NORN_EXPORT int vasprintf(char** text, const char* format, va_list arguments) noexcept {
  reads_arguments(format, arguments, NORN_CALLER);
  writes(text, sizeof *text, NORN_CALLER);
  return NORN_REAL(vasprintf)(text, format, arguments);
}

NORN_EXPORT int asprintf(char** text, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  reads_arguments(format, arguments, NORN_CALLER);
  writes(text, sizeof *text, NORN_CALLER);
  const int length = NORN_REAL(vasprintf)(text, format, arguments);
  va_end(arguments);
  return length;
}

NORN_EXPORT int vdprintf(int descriptor, const char* format, va_list arguments) {
  reads_arguments(format, arguments, NORN_CALLER);
  return NORN_REAL(vdprintf)(descriptor, format, arguments);
}

NORN_EXPORT int dprintf(int descriptor, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reads_arguments(format, arguments, NORN_CALLER);
  const int length = NORN_REAL(vdprintf)(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

NORN_EXPORT int fputs(const char* text, FILE* stream) {
  reads_string(text, NORN_CALLER);
  return NORN_REAL(fputs)(text, stream);
}

NORN_EXPORT int puts(const char* text) {
  reads_string(text, NORN_CALLER);
  return NORN_REAL(puts)(text);
}

NORN_EXPORT void perror(const char* text) {
  if (text != nullptr) reads_string(text, NORN_CALLER);
  NORN_REAL(perror)(text);
}

NORN_EXPORT std::size_t fwrite(const void* data, std::size_t size, std::size_t count, FILE* stream) {
  reads(data, size * count, NORN_CALLER);
  return NORN_REAL(fwrite)(data, size, count, stream);
}

NORN_EXPORT std::size_t fread(void* data, std::size_t size, std::size_t count, FILE* stream) {
  const std::size_t got = NORN_REAL(fread)(data, size, count, stream);
  writes(data, size * got, NORN_CALLER);
  return got;
}

NORN_EXPORT char* fgets(char* text, int size, FILE* stream) {
  char* got = NORN_REAL(fgets)(text, size, stream);
  if (got != nullptr) writes(text, NORN_REAL(strlen)(text) + 1, NORN_CALLER);
  return got;
}

namespace norn::frontend {
namespace {

ssize_t get_line(char** text, std::size_t* room, int end, FILE* stream, const Caller& caller) {
  reads(text, sizeof *text, caller);
  reads(room, sizeof *room, caller);
  char* const before = *text;
  const std::size_t room_before = *room;
  const ssize_t length = NORN_REAL(getdelim)(text, room, end, stream);
  if (*text != before) writes(text, sizeof *text, caller);
  if (*room != room_before) writes(room, sizeof *room, caller);
  if (length >= 0) writes(*text, static_cast<std::size_t>(length) + 1, caller);
  return length;
}

}  // namespace
}  // namespace norn::frontend

NORN_EXPORT ssize_t getdelim(char** text, std::size_t* room, int end, FILE* stream) {
  return get_line(text, room, end, stream, NORN_CALLER);
}

/// What getline is when it is inlined.
NORN_EXPORT ssize_t __getdelim(char** text, std::size_t* room, int end, FILE* stream) {
  return get_line(text, room, end, stream, NORN_CALLER);
}

NORN_EXPORT ssize_t getline(char** text, std::size_t* room, FILE* stream) {
  return get_line(text, room, '\n', stream, NORN_CALLER);
}
