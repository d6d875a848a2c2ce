// Functions of the C library that take texts apart: strtok, strtol, sscanf and their like.

#include <stdio.h>

#include <cinttypes>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

/// The texts of a token and of what is behind it, and whether a zero was put between them.
char* took_token(char* begin, char* token, const char* rest, const char* separators, const Caller& caller) {
  if (!caller.is_watched()) return token;
  reads_string(separators, caller);
  if (begin == nullptr) return token;
  const std::size_t end = token == nullptr ? std::strlen(begin) : static_cast<std::size_t>(rest - begin);
  reads(begin, end + (token == nullptr || *rest == 0 ? 1 : 0), caller);
  // A separator became the end of the token.
  if (token != nullptr && rest > token && rest[-1] == 0) writes(rest - 1, 1, caller);
  return token;
}

/// What a number was made of, and the character that ended it.
void read_number(const char* text, const char* end, const Caller& caller) {
  reads(text, static_cast<std::size_t>(end - text) + 1, caller);
}

/// One conversion of scanf.
struct Target {
  bool assigns = true;
  std::size_t width = 1;  ///< of %c
  std::size_t size = sizeof(int);
  char letter = 0;
  bool allocates = false;  ///< %ms
};

/// What stands between brackets may contain a bracket, if that comes first.
const char* skip_set(const char* text) {
  if (*text == '^') ++text;
  if (*text == ']') ++text;
  while (*text != 0 && *text != ']') ++text;
  return *text == 0 ? text : text + 1;
}

Target parse_target(const char*& text) {
  Target found;
  if (*text == '*') found.assigns = false, ++text;
  if (*text >= '0' && *text <= '9') found.width = std::strtoul(text, const_cast<char**>(&text), 10);
  for (; *text != 0 && std::strchr("hlLqjztm", *text) != nullptr; ++text) {
    if (*text == 'h') found.size = found.size == sizeof(short) ? sizeof(char) : sizeof(short);
    if (std::strchr("lqjzt", *text) != nullptr) found.size = sizeof(long);
    if (*text == 'L') found.size = sizeof(long double);
    if (*text == 'm') found.allocates = true;
  }
  found.letter = *text == 0 ? '\0' : *text++;
  if (found.letter == '[') text = skip_set(text);
  return found;
}

void wrote_target(const Target& target, void* to, const Caller& caller) {
  if (target.allocates || target.letter == 'p') return writes(to, sizeof(void*), caller);
  if (target.letter == 's' || target.letter == '[') return writes(to, std::strlen(static_cast<char*>(to)) + 1, caller);
  writes(to, target.letter == 'c' ? target.width : target.size, caller);
}

/// Notes what scanf has stored: `count` values, in the order of the format.
int wrote_arguments(const char* format, va_list arguments, int count, const Caller& caller) {
  if (!caller.is_watched()) return count;
  reads_string(format, caller);
  va_list rest;
  va_copy(rest, arguments);
  int left = count;
  for (const char* text = format; *text != 0;) {
    if (*text++ != '%') continue;
    const Target target = parse_target(text);
    if (target.letter == '%' || !target.assigns) continue;
    if (target.letter == 0 || (target.letter != 'n' && left-- <= 0)) break;
    wrote_target(target, va_arg(rest, void*), caller);
  }
  va_end(rest);
  return count;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

NORN_EXPORT char* strtok_r(char* text, const char* separators, char** rest) {
  char* const begin = text != nullptr ? text : *rest;
  char* const token = NORN_REAL(strtok_r)(text, separators, rest);
  writes(rest, sizeof *rest, NORN_CALLER);
  return took_token(begin, token, *rest, separators, NORN_CALLER);
}

namespace {

/// Stands for what strtok remembers from one call to the next, which is one variable for all threads.
char strtok_state;

}  // namespace

NORN_EXPORT char* strtok(char* text, const char* separators) {
  writes(&strtok_state, 1, NORN_CALLER);
  if (text != nullptr && NORN_CALLER.is_watched()) {
    const char* const token = text + NORN_REAL(strspn)(text, separators);
    const std::size_t length = NORN_REAL(strcspn)(token, separators);
    reads(text, static_cast<std::size_t>(token - text) + length + 1, NORN_CALLER);
    if (token[length] != 0) writes(token + length, 1, NORN_CALLER);
  }
  return NORN_REAL(strtok)(text, separators);
}

#define NORN_NUMBER(TYPE, NAME)                                   \
  NORN_EXPORT TYPE NAME(const char* text, char** end, int base) { \
    char* stop = nullptr;                                         \
    const TYPE value = NORN_REAL(NAME)(text, &stop, base);        \
    read_number(text, stop, NORN_CALLER);                         \
    if (end != nullptr) writes(end, sizeof *end, NORN_CALLER);    \
    if (end != nullptr) *end = stop;                              \
    return value;                                                 \
  }
NORN_NUMBER(long, strtol)
NORN_NUMBER(unsigned long, strtoul)
NORN_NUMBER(long long, strtoll)
NORN_NUMBER(unsigned long long, strtoull)
NORN_NUMBER(std::intmax_t, strtoimax)
NORN_NUMBER(std::uintmax_t, strtoumax)

#define NORN_FRACTION(TYPE, NAME)                              \
  NORN_EXPORT TYPE NAME(const char* text, char** end) {        \
    char* stop = nullptr;                                      \
    const TYPE value = NORN_REAL(NAME)(text, &stop);           \
    read_number(text, stop, NORN_CALLER);                      \
    if (end != nullptr) writes(end, sizeof *end, NORN_CALLER); \
    if (end != nullptr) *end = stop;                           \
    return value;                                              \
  }
NORN_FRACTION(float, strtof)
NORN_FRACTION(double, strtod)
NORN_FRACTION(long double, strtold)

#define NORN_SIMPLE_NUMBER(TYPE, NAME, PARSE, ...)                   \
  NORN_EXPORT TYPE NAME(const char* text) {                          \
    char* stop = nullptr;                                            \
    const auto value = NORN_REAL(PARSE)(text, &stop, ##__VA_ARGS__); \
    read_number(text, stop, NORN_CALLER);                            \
    return static_cast<TYPE>(value);                                 \
  }
NORN_SIMPLE_NUMBER(int, atoi, strtol, 10)
NORN_SIMPLE_NUMBER(long, atol, strtol, 10)
NORN_SIMPLE_NUMBER(long long, atoll, strtoll, 10)
NORN_SIMPLE_NUMBER(double, atof, strtod)

NORN_EXPORT std::size_t strspn(const char* text, const char* accepted) {
  const std::size_t length = NORN_REAL(strspn)(text, accepted);
  reads(text, length + 1, NORN_CALLER);
  reads_string(accepted, NORN_CALLER);
  return length;
}

NORN_EXPORT std::size_t strcspn(const char* text, const char* rejected) {
  const std::size_t length = NORN_REAL(strcspn)(text, rejected);
  reads(text, length + 1, NORN_CALLER);
  reads_string(rejected, NORN_CALLER);
  return length;
}

namespace {

using ScanText = int(const char*, const char*, va_list);
using ScanFile = int(FILE*, const char*, va_list);

int scan_text(const char* text, const char* format, va_list arguments, const Caller& caller) {
  reads_string(text, caller);
  va_list given;
  va_copy(given, arguments);
  const int count = exec::real<ScanText, "__isoc99_vsscanf">()(text, format, given);
  va_end(given);
  return wrote_arguments(format, arguments, count, caller);
}

int scan_file(FILE* stream, const char* format, va_list arguments, const Caller& caller) {
  va_list given;
  va_copy(given, arguments);
  const int count = exec::real<ScanFile, "__isoc99_vfscanf">()(stream, format, given);
  va_end(given);
  return wrote_arguments(format, arguments, count, caller);
}

}  // namespace

// The headers give these the names of the functions of C99, in which "%as" is no extension of GNU's.

NORN_EXPORT int sscanf(const char* text, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int count = scan_text(text, format, arguments, NORN_CALLER);
  va_end(arguments);
  return count;
}

NORN_EXPORT int vsscanf(const char* text, const char* format, va_list arguments) noexcept {
  return scan_text(text, format, arguments, NORN_CALLER);
}

NORN_EXPORT int fscanf(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = scan_file(stream, format, arguments, NORN_CALLER);
  va_end(arguments);
  return count;
}

NORN_EXPORT int vfscanf(FILE* stream, const char* format, va_list arguments) {
  return scan_file(stream, format, arguments, NORN_CALLER);
}
