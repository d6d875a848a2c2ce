// pthread_key_*, pthread_getspecific, and what the C++ library does with them at the exit of a thread.

#include <cerrno>
#include <condition_variable>

#include "frontend/interpose/caller.hpp"
#include "norn/runtime_abi.h"

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  if (!controlled()) {
    const int result = NORN_REAL(pthread_key_create)(key, destructor);
    if (result == 0 && exec::phase == exec::Phase::native) exec::adopt_key(*key, destructor);
    return result;
  }
  const int made = exec::create_key(destructor);
  if (made < 0) return EAGAIN;
  *key = static_cast<pthread_key_t>(made);
  return 0;
}

NORN_EXPORT int pthread_key_delete(pthread_key_t key) {
  if (!controlled()) return NORN_REAL(pthread_key_delete)(key);
  return exec::delete_key(key) ? 0 : EINVAL;
}

NORN_EXPORT void* pthread_getspecific(pthread_key_t key) {
  if (!controlled()) return NORN_REAL(pthread_getspecific)(key);
  if (key >= exec::max_keys) return nullptr;
  const Thread& me = run().current();
  // The main thread may have got a value before it was under control.
  if (key >= me.keys_used && me.id == main_thread) return NORN_REAL(pthread_getspecific)(key);
  return me.keys[key];
}

NORN_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) {
  if (!controlled()) return NORN_REAL(pthread_setspecific)(key, value);
  if (!exec::key_exists(key)) return EINVAL;
  Thread& me = run().current();
  me.keys_used = std::max(me.keys_used, key + 1U);
  me.keys[key] = const_cast<void*>(value);
  return 0;
}

/// The C++ library has one function that enters something into its list for the exit of a thread. It enters a callback
/// of its own as well.
NORN_EXPORT void norn_at_thread_exit(void* element, void (*callback)(void* element)) {
  static void (*real)(void*) = nullptr;
  real_function(real, "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv")(element);
  static_cast<std::__at_thread_exit_elt*>(element)->_M_cb = callback;
}
