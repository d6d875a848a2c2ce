// std::exception_ptr counts its owners inside the C++ library, where no instrumentation sees it: the last owner
// destroys the exception, after all others have let go of it.

#include "frontend/interpose/interpose.hpp"

namespace {

using Count = void(void*);

/// `pointer` is the std::exception_ptr, whose only member is the address of the exception.
void count(void* pointer, Count*& real, const char* name) {
  if (real == nullptr) real = reinterpret_cast<Count*>(norn::exec::next_definition(name));
  if (norn::exec::controlled()) {
    const void* exception = *static_cast<void**>(pointer);
    norn::frontend::run().watch().released_too(exception);
    norn::frontend::run().watch().acquired(exception);
  }
  real(pointer);
}

}  // namespace

NORN_EXPORT void norn_add_owner(void* pointer) asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void norn_add_owner(void* pointer) {
  static Count* real = nullptr;
  count(pointer, real, "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
}

NORN_EXPORT void norn_remove_owner(void* pointer) asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void norn_remove_owner(void* pointer) {
  static Count* real = nullptr;
  count(pointer, real, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
}
