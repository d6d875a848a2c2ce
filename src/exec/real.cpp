#include "exec/real.hpp"

#include <dlfcn.h>

#include <cstring>

#include "exec/fatal.hpp"

namespace norn::exec {

void* next_definition(const char* name) {
  // glibc keeps an incompatible old version of these under the same name, which plain dlsym may find.
  if (std::strncmp(name, "pthread_cond_", 13) == 0)
    if (void* found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2")) return found;
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  fatal("the C library lacks a function that the program calls");
}

}  // namespace norn::exec
