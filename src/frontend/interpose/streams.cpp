// What a program writes into a string or a file by std::ostream goes into a buffer inside the C++ library, where no
// instrumentation sees it. No lock protects these buffers: who writes moves the place for the next character, and who
// asks for the text looks where that is. Standard streams have a buffer of another kind, which threads may share.
// Norn itself must not write to streams: its own copy of the C++ library has these functions, too.

#include <dlfcn.h>

#include <fstream>
#include <sstream>

#include "frontend/interpose/caller.hpp"

namespace norn::frontend {
namespace {

/// What is protected in a buffer can be named here.
struct Buffer : std::streambuf {
  static constexpr char* std::streambuf::*next_place = &Buffer::_M_out_cur;
};

/// Classes are told apart by their tables of virtual functions, which the program may have copied from the library.
bool is_of_class(const std::streambuf* buffer, const void*& table, const char* symbol) {
  constexpr std::size_t entries_before_functions = 2;
  if (table == nullptr) table = static_cast<const void* const*>(dlsym(RTLD_DEFAULT, symbol)) + entries_before_functions;
  return *reinterpret_cast<const void* const*>(buffer) == table;
}

/// What others derive from these classes may have locks of its own.
bool is_unprotected(const std::streambuf* buffer) {
  static const void* strings = nullptr;
  static const void* files = nullptr;
  return is_of_class(buffer, strings, "_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE") ||
         is_of_class(buffer, files, "_ZTVSt13basic_filebufIcSt11char_traitsIcEE");
}

void access_buffer(const std::streambuf* buffer, bool writes, const Caller& caller) {
  if (buffer == nullptr || !is_unprotected(buffer)) return;
  access_range(&(buffer->*Buffer::next_place), sizeof(char*), writes, caller.site);
}

/// A stream that has failed writes nothing.
void writes_to(const std::ostream& stream, const Caller& caller) {
  if (caller.is_watched() && stream.good()) access_buffer(stream.rdbuf(), true, caller);
}

const std::streambuf* buffer_of(const std::stringbuf& buffer) { return &buffer; }
template <typename Stream>
const std::streambuf* buffer_of(const Stream& stream) {
  return stream.rdbuf();
}

template <typename Stream>
void reads_from(const Stream& stream, const Caller& caller) {
  if (caller.is_watched()) access_buffer(buffer_of(stream), false, caller);
}

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

// Numbers of all types, of which the short ones have become long ones, text, single characters and blocks.

#define NORN_INSERTS(NAME, SYMBOL, ...)                                                          \
  NORN_EXPORT std::ostream& NAME(std::ostream& stream, __VA_ARGS__ value) asm(SYMBOL);           \
  std::ostream& NAME(std::ostream& stream, __VA_ARGS__ value) {                                  \
    writes_to(stream, NORN_CALLER);                                                              \
    return norn::exec::real<std::ostream&(std::ostream&, __VA_ARGS__), SYMBOL>()(stream, value); \
  }
#define NORN_INSERTS_TEXT(NAME, SYMBOL)                                                                                \
  NORN_EXPORT std::ostream& NAME(std::ostream& stream, const char* text, std::streamsize size) asm(SYMBOL);            \
  std::ostream& NAME(std::ostream& stream, const char* text, std::streamsize size) {                                   \
    writes_to(stream, NORN_CALLER);                                                                                    \
    return norn::exec::real<std::ostream&(std::ostream&, const char*, std::streamsize), SYMBOL>()(stream, text, size); \
  }

NORN_INSERTS(norn_insert_bool, "_ZNSo9_M_insertIbEERSoT_", bool)
NORN_INSERTS(norn_insert_long, "_ZNSo9_M_insertIlEERSoT_", long)
NORN_INSERTS(norn_insert_unsigned_long, "_ZNSo9_M_insertImEERSoT_", unsigned long)
NORN_INSERTS(norn_insert_long_long, "_ZNSo9_M_insertIxEERSoT_", long long)
NORN_INSERTS(norn_insert_unsigned_long_long, "_ZNSo9_M_insertIyEERSoT_", unsigned long long)
NORN_INSERTS(norn_insert_double, "_ZNSo9_M_insertIdEERSoT_", double)
NORN_INSERTS(norn_insert_long_double, "_ZNSo9_M_insertIeEERSoT_", long double)
NORN_INSERTS(norn_insert_pointer, "_ZNSo9_M_insertIPKvEERSoT_", const void*)
NORN_INSERTS(norn_put, "_ZNSo3putEc", char)
NORN_INSERTS_TEXT(norn_insert_text, "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l")
NORN_INSERTS_TEXT(norn_write, "_ZNSo5writeEPKcl")

// The text so far. A string is returned at a place that the caller provides.

#define NORN_GIVES_TEXT(NAME, CLASS, SYMBOL)                                      \
  NORN_EXPORT void* NAME(void* place, const CLASS& stream) asm(SYMBOL);           \
  void* NAME(void* place, const CLASS& stream) {                                  \
    reads_from(stream, NORN_CALLER);                                              \
    return norn::exec::real<void*(void*, const CLASS&), SYMBOL>()(place, stream); \
  }
/// Since C++20 there is a second one, only for streams that are not temporary.
#define NORN_GIVES_TEXTS(NAME, CLASS, SYMBOL)                                              \
  NORN_GIVES_TEXT(NAME, CLASS, "_ZNKSt7__cxx11" SYMBOL "IcSt11char_traitsIcESaIcEE3strEv") \
  NORN_GIVES_TEXT(NAME##_of_lasting, CLASS, "_ZNKRSt7__cxx11" SYMBOL "IcSt11char_traitsIcESaIcEE3strEv")

NORN_GIVES_TEXTS(norn_text_of_buffer, std::stringbuf, "15basic_stringbuf")
NORN_GIVES_TEXTS(norn_text_of_output, std::ostringstream, "19basic_ostringstream")
NORN_GIVES_TEXTS(norn_text_of_stream, std::stringstream, "18basic_stringstream")
