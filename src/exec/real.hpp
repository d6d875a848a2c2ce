#pragma once

#include <cstddef>

namespace norn::exec {

/// A name as a template's argument.
template <std::size_t size>
struct Name {
  char text[size];
  // NOLINTNEXTLINE(google-explicit-constructor): a literal becomes one where it is written
  consteval Name(const char (&literal)[size]) {
    for (std::size_t i = 0; i < size; ++i) text[i] = literal[i];
  }
};

/// The definition of a function that the program would have without Norn: the next one in symbol look-up. None if there
/// is none.
void* find_next_definition(const char* name);

/// The same; ends the process if there is none.
void* next_definition(const char* name);

/// Where the next definition of a function is. Found before main(): looking it up takes a lock of the loader's, and a
/// thread that crashed inside the loader has that lock for ever. What is called earlier is found when it is called.
template <Name name>
struct NextDefinition {
  static void* address() {
    if (found == nullptr) [[unlikely]]
      found = next_definition(name.text);
    return found;
  }
  static void* address_if_any() {
    if (found == nullptr) found = find_next_definition(name.text);
    return found;
  }
  inline static void* found = find_next_definition(name.text);
};

/// The same for a function that has no name here, e.g. real<char*(const char*, int), "strchr">()(text, c).
template <typename Signature, Name name>
Signature* real() {
  return reinterpret_cast<Signature*>(NextDefinition<name>::address());
}

/// The same for what a program may do without, as C programs do without the C++ library.
template <typename Object, Name name>
Object* real_if_any() {
  return reinterpret_cast<Object*>(NextDefinition<name>::address_if_any());
}

}  // namespace norn::exec

/// The C library's own version of a function that Norn interposes, e.g. NORN_REAL(pthread_create)(...).
#define NORN_REAL(function) (reinterpret_cast<decltype(&::function)>(norn::exec::NextDefinition<#function>::address()))
