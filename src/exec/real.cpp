#include "exec/real.hpp"

#include <dlfcn.h>

#include "exec/fatal.hpp"

namespace norn::exec {
namespace {

/// By hand, because the functions that compare strings come here themselves.
bool begins_with(const char* text, const char* prefix) {
  while (*prefix != 0)
    if (*text++ != *prefix++) return false;
  return true;
}

}  // namespace

void* find_next_definition(const char* name) {
  // glibc keeps an incompatible old version of these under the same name, which plain dlsym may find.
  if (begins_with(name, "pthread_cond_"))
    if (void* found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2")) return found;
  return dlsym(RTLD_NEXT, name);
}

void* next_definition(const char* name) {
  if (void* found = find_next_definition(name)) return found;
  fatal("the C library lacks a function that the program calls");
}

}  // namespace norn::exec
