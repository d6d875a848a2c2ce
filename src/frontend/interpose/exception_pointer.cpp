// Exceptions count their owners inside the C++ library, where no instrumentation sees it: the last owner destroys the
// exception, after all others have let go of it. Owners are each std::exception_ptr and whoever handles it. That is all
// the order there is: who becomes an owner, or lets go while there are others, learns nothing of what these did.

#include <unwind.h>

#include <cstring>

#include "frontend/interpose/interpose.hpp"

namespace {

using Count = void(void*);

/// As GCC's C++ library lays it out, the number of owners lies before the exception with everything that is thrown.
bool has_one_owner(const void* exception) {
  constexpr std::size_t distance_from_count = 128;
  int owners = 0;
  std::memcpy(&owners, static_cast<const char*>(exception) - distance_from_count, sizeof owners);
  return owners == 1;
}

void let_go_of(const void* exception) {
  if (exception == nullptr) return;
  if (has_one_owner(exception))
    norn::frontend::run().watch().acquired(exception);
  else
    norn::frontend::run().watch().released_too(exception);
}

/// The exception that is handled, as GCC's C++ library lays it out: its header lies before it; one that was thrown
/// again by std::rethrow_exception has only a header, which begins with the address of the exception. nullptr: not of
/// C++.
const void* exception_of(const _Unwind_Exception* header) {
  constexpr std::uint64_t thrown = 0x474e5543432b2b00;  // "GNUCC++"
  constexpr std::uint64_t thrown_again = thrown + 1;
  constexpr std::size_t distance_from_begin = 80;
  if (header->exception_class == thrown) return header + 1;
  if (header->exception_class != thrown_again) return nullptr;
  const void* exception = nullptr;
  std::memcpy(&exception, reinterpret_cast<const char*>(header) - distance_from_begin, sizeof exception);
  return exception;
}

}  // namespace

/// `pointer` is the std::exception_ptr, whose only member is the address of the exception.
NORN_EXPORT void norn_remove_owner(void* pointer) asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void norn_remove_owner(void* pointer) {
  if (norn::exec::controlled()) let_go_of(*static_cast<void**>(pointer));
  norn::exec::real<Count, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv">()(pointer);
}

/// At the end of the last handler.
NORN_EXPORT void _Unwind_DeleteException(_Unwind_Exception* header) {
  if (norn::exec::controlled()) let_go_of(exception_of(header));
  NORN_REAL(_Unwind_DeleteException)(header);
}
