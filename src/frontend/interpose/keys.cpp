// pthread_key_*, pthread_getspecific, their C11 forms, and what the C++ library does with them at the exit of a thread.

#include <threads.h>

#include <cerrno>
#include <condition_variable>

#include "frontend/interpose/caller.hpp"
#include "norn/runtime_abi.h"

namespace norn::frontend {
namespace {

void expect_key(pthread_key_t key, const void* site) {
  if (!exec::key_exists(key)) [[unlikely]]
    misuse(site, "a key of thread-specific data is used that does not exist (any more)");
}

int delete_key(pthread_key_t key, const void* site) {
  expect_key(key, site);
  exec::delete_key(key);
  return 0;
}

void* value_of(pthread_key_t key, const void* site) {
  expect_key(key, site);
  const Thread& me = run().current();
  // The main thread may have got a value before it was under control.
  if (key >= me.keys_used && me.id == main_thread) return NORN_REAL(pthread_getspecific)(key);
  return me.keys[key];
}

int set_value(pthread_key_t key, const void* value, const void* site) {
  expect_key(key, site);
  Thread& me = run().current();
  me.keys_used = std::max(me.keys_used, key + 1U);
  me.keys[key] = const_cast<void*>(value);
  return 0;
}

}  // namespace
}  // namespace norn::frontend

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

/// What some libraries call.
NORN_EXPORT int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  return pthread_key_create(key, destructor);
}

NORN_EXPORT int pthread_key_delete(pthread_key_t key) {
  return controlled() ? delete_key(key, NORN_SITE) : NORN_REAL(pthread_key_delete)(key);
}

NORN_EXPORT void* pthread_getspecific(pthread_key_t key) {
  return controlled() ? value_of(key, NORN_SITE) : NORN_REAL(pthread_getspecific)(key);
}

NORN_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) {
  return controlled() ? set_value(key, value, NORN_SITE) : NORN_REAL(pthread_setspecific)(key, value);
}

NORN_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

NORN_EXPORT void tss_delete(tss_t key) {
  if (!controlled()) return NORN_REAL(tss_delete)(key);
  delete_key(key, NORN_SITE);
}

NORN_EXPORT void* tss_get(tss_t key) { return controlled() ? value_of(key, NORN_SITE) : NORN_REAL(tss_get)(key); }

NORN_EXPORT int tss_set(tss_t key, void* value) {
  const int error = controlled() ? set_value(key, value, NORN_SITE) : NORN_REAL(pthread_setspecific)(key, value);
  return error == 0 ? thrd_success : thrd_error;
}

/// The C++ library has one function that enters something into its list for the exit of a thread. It enters a callback
/// of its own as well.
NORN_EXPORT void norn_at_thread_exit(void* element, void (*callback)(void* element)) {
  exec::real<void(void*), "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv">()(element);
  static_cast<std::__at_thread_exit_elt*>(element)->_M_cb = callback;
}
