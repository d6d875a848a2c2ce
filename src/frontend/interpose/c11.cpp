// <threads.h>. glibc's versions do not go through the pthread functions, but the objects are the same underneath.

#include <threads.h>

#include <cerrno>

#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"

namespace norn::frontend {
namespace {

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int to_c11(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

struct Call {
  thrd_start_t function;
  void* argument;
};

/// A C11 thread returns an int; it travels as the pointer that POSIX threads return.
void* call_c11(void* function_and_argument) {
  const Call call = *static_cast<Call*>(function_and_argument);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(call.function(call.argument)));
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int thrd_create(thrd_t* handle, thrd_start_t function, void* argument) {
  if (!controlled()) return NORN_REAL(thrd_create)(handle, function, argument);
  void* memory = run().current().arena.allocate_own(sizeof(Call));
  return to_c11(create_thread(handle, false, call_c11, new (memory) Call{function, argument}, NORN_SITE));
}

NORN_EXPORT int thrd_join(thrd_t handle, int* result) {
  if (!controlled()) return NORN_REAL(thrd_join)(handle, result);
  void* value = nullptr;
  const int error = join_thread(handle, &value, NORN_SITE);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return to_c11(error);
}

NORN_EXPORT int thrd_detach(thrd_t handle) {
  if (!controlled()) return NORN_REAL(thrd_detach)(handle);
  return to_c11(detach_thread(handle, NORN_SITE));
}

NORN_EXPORT void thrd_exit(int result) {
  if (!controlled()) {
    NORN_REAL(thrd_exit)(result);
    __builtin_unreachable();
  }
  exit_thread(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}

NORN_EXPORT void thrd_yield() {
  if (!controlled()) NORN_REAL(thrd_yield)();
}

NORN_EXPORT int thrd_sleep(const timespec* duration, timespec* rest) {
  if (!controlled()) return NORN_REAL(thrd_sleep)(duration, rest);
  constexpr int failed = -2;
  return sleep_for(*duration, rest, NORN_SITE) == 0 ? 0 : failed;
}

NORN_EXPORT int mtx_lock(mtx_t* mutex) {
  if (!controlled()) return take_natively(mutex, [&] { return NORN_REAL(mtx_lock)(mutex); });
  return to_c11(lock_mutex(posix(mutex), Op::mutex_lock, NORN_SITE));
}

NORN_EXPORT int mtx_trylock(mtx_t* mutex) {
  if (!controlled()) return take_natively(mutex, [&] { return NORN_REAL(mtx_trylock)(mutex); });
  return to_c11(lock_mutex(posix(mutex), Op::mutex_try_lock, NORN_SITE));
}

NORN_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  if (!controlled())
    return take_natively(mutex, [&] { return NORN_REAL(mtx_timedlock)(mutex, NativeDeadline(deadline).get()); });
  return to_c11(lock_mutex_in_time(posix(mutex), CLOCK_REALTIME, deadline, NORN_SITE));
}

NORN_EXPORT int mtx_unlock(mtx_t* mutex) {
  if (!controlled()) return NORN_REAL(mtx_unlock)(mutex);
  return to_c11(unlock_mutex(posix(mutex), NORN_SITE));
}

NORN_EXPORT void mtx_destroy(mtx_t* mutex) {
  if (!controlled()) return NORN_REAL(mtx_destroy)(mutex);
  destroy_mutex(posix(mutex), NORN_SITE);
}

NORN_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (!controlled()) return wait_natively(mutex, [&] { return NORN_REAL(cnd_wait)(condition, mutex); });
  return to_c11(wait_for_condition(posix(condition), posix(mutex), nullptr, CLOCK_REALTIME, NORN_SITE));
}

NORN_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  if (!controlled())
    return wait_natively(mutex,
                         [&] { return NORN_REAL(cnd_timedwait)(condition, mutex, NativeDeadline(deadline).get()); });
  return to_c11(wait_for_condition(posix(condition), posix(mutex), deadline, CLOCK_REALTIME, NORN_SITE));
}

NORN_EXPORT int cnd_signal(cnd_t* condition) {
  if (!controlled()) return NORN_REAL(cnd_signal)(condition);
  signal_condition(posix(condition), false, NORN_SITE);
  return thrd_success;
}

NORN_EXPORT int cnd_broadcast(cnd_t* condition) {
  if (!controlled()) return NORN_REAL(cnd_broadcast)(condition);
  signal_condition(posix(condition), true, NORN_SITE);
  return thrd_success;
}

NORN_EXPORT void cnd_destroy(cnd_t* condition) {
  if (!controlled()) return NORN_REAL(cnd_destroy)(condition);
  destroy_condition(posix(condition), NORN_SITE);
}

NORN_EXPORT void call_once(once_flag* flag, void (*body)()) {
  if (!controlled()) return NORN_REAL(call_once)(flag, body);
  do_once({flag, false}, body, NORN_SITE);
}
