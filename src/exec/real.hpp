#pragma once

namespace norn::exec {

/// The definition of a function that the program would have without Norn: the next one in symbol look-up.
void* next_definition(const char* name);

}  // namespace norn::exec

/// The C library's own version of a function that Norn interposes, e.g. NORN_REAL(pthread_create)(...).
#define NORN_REAL(function)                                                                                            \
  ([]() {                                                                                                              \
    static decltype(&::function) pointer;                                                                              \
    if (pointer == nullptr) pointer = reinterpret_cast<decltype(&::function)>(norn::exec::next_definition(#function)); \
    return pointer;                                                                                                    \
  }())
