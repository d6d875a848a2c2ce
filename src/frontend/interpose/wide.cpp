// The functions of strings.cpp for wide characters, and those between the two kinds of text.

#include <cstdarg>
#include <cstdlib>
#include <cwchar>

#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

void reads_wide(const wchar_t* text, std::size_t count, const Caller& caller) {
  reads(text, count * sizeof *text, caller);
}

void writes_wide(const wchar_t* text, std::size_t count, const Caller& caller) {
  writes(text, count * sizeof *text, caller);
}

/// With the zero at the end, if that comes before the limit.
void reads_wide_string(const wchar_t* text, const Caller& caller, std::size_t limit = SIZE_MAX) {
  if (!caller.is_watched()) return;
  const std::size_t length = NORN_REAL(wcsnlen)(text, limit);
  reads_wide(text, length < limit ? length + 1 : limit, caller);
}

/// They are read until they differ or end.
void reads_until_different(const wchar_t* a, const wchar_t* b, std::size_t limit, bool ends, const Caller& caller) {
  if (!caller.is_watched()) return;
  std::size_t count = 0;
  while (count < limit && a[count] == b[count] && !(ends && a[count] == 0)) ++count;
  if (count < limit) ++count;
  reads_wide(a, count, caller);
  reads_wide(b, count, caller);
}

/// Up to what was found, or the end.
void reads_until_found(const wchar_t* text, const wchar_t* found, const Caller& caller) {
  if (found == nullptr) return reads_wide_string(text, caller);
  reads_wide(text, static_cast<std::size_t>(found - text) + 1, caller);
}

using FindWide = wchar_t*(const wchar_t*, wchar_t);
using FindWideText = wchar_t*(const wchar_t*, const wchar_t*);

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

NORN_EXPORT wchar_t* wmemcpy(wchar_t* to, const wchar_t* from, std::size_t count) noexcept {
  reads_wide(from, count, NORN_CALLER);
  writes_wide(to, count, NORN_CALLER);
  return NORN_REAL(wmemcpy)(to, from, count);
}

NORN_EXPORT wchar_t* wmemmove(wchar_t* to, const wchar_t* from, std::size_t count) noexcept {
  reads_wide(from, count, NORN_CALLER);
  writes_wide(to, count, NORN_CALLER);
  return NORN_REAL(wmemmove)(to, from, count);
}

NORN_EXPORT wchar_t* wmemset(wchar_t* to, wchar_t value, std::size_t count) noexcept {
  writes_wide(to, count, NORN_CALLER);
  return NORN_REAL(wmemset)(to, value, count);
}

NORN_EXPORT int wmemcmp(const wchar_t* a, const wchar_t* b, std::size_t count) noexcept {
  reads_until_different(a, b, count, false, NORN_CALLER);
  return NORN_REAL(wmemcmp)(a, b, count);
}

NORN_EXPORT std::size_t wcslen(const wchar_t* text) noexcept {
  reads_wide_string(text, NORN_CALLER);
  return NORN_REAL(wcslen)(text);
}

NORN_EXPORT std::size_t wcsnlen(const wchar_t* text, std::size_t limit) noexcept {
  reads_wide_string(text, NORN_CALLER, limit);
  return NORN_REAL(wcsnlen)(text, limit);
}

NORN_EXPORT wchar_t* wcscpy(wchar_t* to, const wchar_t* from) noexcept {
  reads_wide_string(from, NORN_CALLER);
  writes_wide(to, NORN_REAL(wcslen)(from) + 1, NORN_CALLER);
  return NORN_REAL(wcscpy)(to, from);
}

NORN_EXPORT wchar_t* wcsncpy(wchar_t* to, const wchar_t* from, std::size_t count) noexcept {
  reads_wide_string(from, NORN_CALLER, count);
  writes_wide(to, count, NORN_CALLER);
  return NORN_REAL(wcsncpy)(to, from, count);
}

NORN_EXPORT wchar_t* wcscat(wchar_t* to, const wchar_t* from) noexcept {
  reads_wide_string(from, NORN_CALLER);
  reads_wide_string(to, NORN_CALLER);
  writes_wide(to + NORN_REAL(wcslen)(to), NORN_REAL(wcslen)(from) + 1, NORN_CALLER);
  return NORN_REAL(wcscat)(to, from);
}

NORN_EXPORT int wcscmp(const wchar_t* a, const wchar_t* b) noexcept {
  reads_until_different(a, b, SIZE_MAX, true, NORN_CALLER);
  return NORN_REAL(wcscmp)(a, b);
}

NORN_EXPORT int wcsncmp(const wchar_t* a, const wchar_t* b, std::size_t count) noexcept {
  reads_until_different(a, b, count, true, NORN_CALLER);
  return NORN_REAL(wcsncmp)(a, b, count);
}

NORN_EXPORT wchar_t* wcsdup(const wchar_t* text) noexcept {
  reads_wide_string(text, NORN_CALLER);
  return NORN_REAL(wcsdup)(text);
}

// These have two declarations in C++, which the macro for the real function cannot choose from.

NORN_EXPORT wchar_t* norn_wcschr(const wchar_t* text, wchar_t c) asm("wcschr");
wchar_t* norn_wcschr(const wchar_t* text, wchar_t c) {
  wchar_t* found = norn::exec::real<FindWide, "wcschr">()(text, c);
  reads_until_found(text, found, NORN_CALLER);
  return found;
}

NORN_EXPORT wchar_t* norn_wcsrchr(const wchar_t* text, wchar_t c) asm("wcsrchr");
wchar_t* norn_wcsrchr(const wchar_t* text, wchar_t c) {
  reads_wide_string(text, NORN_CALLER);
  return norn::exec::real<FindWide, "wcsrchr">()(text, c);
}

NORN_EXPORT wchar_t* norn_wcsstr(const wchar_t* text, const wchar_t* part) asm("wcsstr");
wchar_t* norn_wcsstr(const wchar_t* text, const wchar_t* part) {
  reads_wide_string(text, NORN_CALLER);
  reads_wide_string(part, NORN_CALLER);
  return norn::exec::real<FindWideText, "wcsstr">()(text, part);
}

NORN_EXPORT wchar_t* norn_wmemchr(const wchar_t* text, wchar_t c, std::size_t count) asm("wmemchr");
wchar_t* norn_wmemchr(const wchar_t* text, wchar_t c, std::size_t count) {
  wchar_t* found = norn::exec::real<wchar_t*(const wchar_t*, wchar_t, std::size_t), "wmemchr">()(text, c, count);
  reads_wide(text, found == nullptr ? count : static_cast<std::size_t>(found - text) + 1, NORN_CALLER);
  return found;
}

// Of what is printed, the texts that a format names are not looked at.

NORN_EXPORT int vswprintf(wchar_t* buffer, std::size_t room, const wchar_t* format, va_list arguments) noexcept {
  reads_wide_string(format, NORN_CALLER);
  const int length = NORN_REAL(vswprintf)(buffer, room, format, arguments);
  if (length >= 0) writes_wide(buffer, static_cast<std::size_t>(length) + 1, NORN_CALLER);
  return length;
}

NORN_EXPORT int swprintf(wchar_t* buffer, std::size_t room, const wchar_t* format, ...) noexcept {
  reads_wide_string(format, NORN_CALLER);
  va_list arguments;
  va_start(arguments, format);
  const int length = NORN_REAL(vswprintf)(buffer, room, format, arguments);
  va_end(arguments);
  if (length >= 0) writes_wide(buffer, static_cast<std::size_t>(length) + 1, NORN_CALLER);
  return length;
}

// What does not fit is not converted, and then there is no zero at the end.

NORN_EXPORT std::size_t mbstowcs(wchar_t* to, const char* from, std::size_t room) noexcept {
  const std::size_t count = NORN_REAL(mbstowcs)(to, from, room);
  if (count == static_cast<std::size_t>(-1)) return count;
  to == nullptr || count < room ? reads_string(from, NORN_CALLER) : reads(from, count, NORN_CALLER);
  if (to != nullptr) writes_wide(to, count < room ? count + 1 : room, NORN_CALLER);
  return count;
}

NORN_EXPORT std::size_t wcstombs(char* to, const wchar_t* from, std::size_t room) noexcept {
  const std::size_t size = NORN_REAL(wcstombs)(to, from, room);
  if (size == static_cast<std::size_t>(-1)) return size;
  if (to == nullptr || size < room) reads_wide_string(from, NORN_CALLER);
  if (to != nullptr) writes(to, size < room ? size + 1 : room, NORN_CALLER);
  return size;
}
