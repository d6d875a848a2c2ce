// pthread_cleanup_push in C that was compiled without -fexceptions, which norn-cc says, but others need not have: the
// thread keeps a list of places to jump back to before it ends. Other programs are unwound.

#include <pthread.h>
#include <setjmp.h>

#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

using CleanupPlace = __pthread_unwind_buf_t;
using ChangesCleanups = void(CleanupPlace*);

/// In what the C library's header leaves free for the library.
void*& next_of(CleanupPlace* place) { return place->__pad[0]; }

}  // namespace

void jump_to_cleanup(std::uintptr_t unwound) {
  auto* const place = static_cast<CleanupPlace*>(run().current().cleanups);
  if (place == nullptr || reinterpret_cast<std::uintptr_t>(place) >= unwound) return;
  siglongjmp(reinterpret_cast<__jmp_buf_tag*>(place->__cancel_jmp_buf), 1);
}

}  // namespace norn::frontend

using namespace norn::frontend;

NORN_EXPORT void __pthread_register_cancel(CleanupPlace* place) {
  if (!controlled()) return exec::real<ChangesCleanups, "__pthread_register_cancel">()(place);
  next_of(place) = run().current().cleanups;
  run().current().cleanups = place;
}

NORN_EXPORT void __pthread_unregister_cancel(CleanupPlace* place) {
  if (!controlled()) return exec::real<ChangesCleanups, "__pthread_unregister_cancel">()(place);
  run().current().cleanups = next_of(place);
}

/// After the function that was registered has run: the thread goes on to end.
NORN_EXPORT void __pthread_unwind_next(CleanupPlace* place) {
  if (!controlled()) {
    exec::real<ChangesCleanups, "__pthread_unwind_next">()(place);
    __builtin_unreachable();
  }
  run().current().cleanups = next_of(place);
  exit_thread(run().current().result);
}
