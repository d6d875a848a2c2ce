// pthread_create, pthread_join and what happens at the end of a thread.

#include <dlfcn.h>
#include <fmt/format.h>
#include <unwind.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "exec/carrier.hpp"
#include "exec/process_heap.hpp"
#include "exec/services.hpp"
#include "frontend/interpose/interpose.hpp"
#include "support/hash.hpp"

namespace norn::frontend {
namespace {

/// Nobody else can give back what a thread holds; only a robust mutex can be taken from it.
void check_locks_given_back() {
  for (const exec::HeldLock& lock : run().current().held) {
    if (lock.robust) {
      if (run().releases_visible()) run().entangle(Entangled::by_robust);
      continue;
    }
    run().end_with_kept_lock(lock);
  }
}

/// The last thread to end ends the process.
[[noreturn]] void end_thread() {
  finish_thread_locals();
  exec::destroy_key_values();
  check_locks_given_back();
  if (!run().others_alive()) exit_process(0, true, nullptr, true);
  run().end_current_thread();
}

void* thread_body(void*) {
  Thread& thread = run().current();
  thread.result = thread.program_start(thread.program_argument);
  end_thread();
}

/// Called for every frame while a thread that exits is unwound; at the last one the thread ends.
_Unwind_Reason_Code end_at_last_frame(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                      _Unwind_Context* context, void*) {
  jump_to_cleanup(_Unwind_GetCFA(context));
  if ((actions & _UA_END_OF_STACK) == 0 && _Unwind_GetIP(context) != 0) return _URC_NO_REASON;
  end_thread();
}

/// The same for threads that are started with the same function and the same data.
std::uint64_t hash_of_start(void* (*start)(void*), const void* argument) {
  const std::uint64_t hash = combine(reinterpret_cast<std::uintptr_t>(start), 1);
  if (!run().is_block(argument)) return combine(hash, reinterpret_cast<std::uintptr_t>(argument));
  return combine(hash, hash_bytes(argument, exec::header_of(const_cast<void*>(argument))->size));
}

/// It does not exist: the C library would look at memory that is no thread's.
[[noreturn]] void no_such_thread(const void* site) {
  if (exec::had_early_threads)
    run().cut_uncontrolled("the program deals with a thread that was started before main()", site);
  misuse(site, "a handle is used that is not one of a thread");
}

Thread& joinable(pthread_t handle, const void* site) {
  Thread* thread = run().thread_of_handle(handle);
  if (thread == nullptr) no_such_thread(site);
  if (thread->joined || thread->detached) misuse(site, "a thread is joined that was joined or detached before");
  return *thread;
}

int finish_join(Thread& thread, void** result, const void* site) {
  if (thread.joined || thread.detached) misuse(site, "a thread is joined that was joined or detached meanwhile");
  Thread& me = run().current();
  me.clock = std::max(me.clock, thread.clock);
  thread.joined = true;
  run().link(LinkKind::joined, nullptr, thread.id, Op::thread_join);
  me.lineage = exec::lineage_after_join(me.lineage, thread.id, thread.lineage);
  run().watch().joined(thread.id);
  if (result != nullptr) *result = thread.result;
  return 0;
}

/// For POSIX that is undefined, but the C++ library has to throw an exception.
int join_self(const void* site) {
  const auto* const call = static_cast<const char*>(site) - 1;
  Dl_info caller{};
  const bool has_name = dladdr(call, &caller) != 0 && caller.dli_sname != nullptr;
  if (has_name && std::string_view(caller.dli_sname) == "_ZNSt6thread4joinEv") return EDEADLK;
  misuse(site, "a thread joins itself");
}

/// A join that does not wait for ever: it can see that a thread has not ended, so ending becomes visible.
int try_join(pthread_t handle, void** result, int when_alive, const void* site) {
  Thread& thread = joinable(handle, site);
  run().perform_try({Op::thread_try_join, site, thread.as_object()});
  if (thread.status == Status::ended) return finish_join(thread, result, site);
  run().commuted();
  return when_alive;
}

/// The control block would remember it from one run to the next.
int exchange_flag(bool& flag, int value, int when_clear, int when_set, int* old) {
  if (value != when_clear && value != when_set) return EINVAL;
  const bool was_set = std::exchange(flag, value == when_set);
  if (old != nullptr) *old = was_set ? when_set : when_clear;
  return 0;
}

struct NativeStart {
  void* (*function)(void*);
  void* argument;
};

/// Counts it as long as it is there.
void* run_natively(void* memory) {
  const NativeStart start = *static_cast<NativeStart*>(memory);
  exec::norn_free(memory);
  struct Leaving {
    ~Leaving() { --exec::early_threads; }
  } leaving;
  exec::is_early_thread = true;
  return start.function(start.argument);
}

int create_natively(pthread_t* handle, const pthread_attr_t* attributes, const NativeStart& start) {
  void* const memory = exec::norn_allocate(sizeof start);
  if (memory == nullptr) return EAGAIN;
  new (memory) NativeStart(start);
  ++exec::early_threads;
  exec::had_early_threads = true;
  const int error = NORN_REAL(pthread_create)(handle, attributes, run_natively, memory);
  if (error == 0) return 0;
  --exec::early_threads;
  exec::norn_free(memory);
  return error;
}

/// All threads have stacks of one size, in places that are the same in every run.
void refuse_other_stacks(const pthread_attr_t& attributes, const void* site) {
  void* begin = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &begin, &size);
  // Where no place has been set, the C library takes the size, if there is one, from nothing.
  if (reinterpret_cast<std::uintptr_t>(begin) + size != 0)
    run().cut_uncontrolled("the program gives a thread a stack of its own (pthread_attr_setstack)", site);
  if (size > exec::stack_size)
    run().cut_uncontrolled(
        fmt::format("the program gives a thread a stack of {} bytes (pthread_attr_setstacksize), and Norn has {}", size,
                    exec::stack_size),
        site);
}

}  // namespace

void finish_thread_locals() {
  Thread& me = run().current();
  while (me.destructors != nullptr) {
    const exec::ThreadLocalDestructor destructor = *me.destructors;
    me.destructors = destructor.next;
    destructor.function(destructor.object);
  }
}

int create_thread(pthread_t* handle, bool detached, void* (*start)(void*), void* argument, const void* site) {
  Thread* thread = run().create(thread_body, nullptr, exec::FloatingPoint::now());
  // What the others do before this thread goes on may be a bug, so the run is not cut yet.
  if (thread == nullptr) run().stay_for_ever({Op::thread_create, site, nullptr});
  thread->program_start = start;
  thread->first_code = reinterpret_cast<const void*>(start);
  thread->program_argument = argument;
  if (run().options().reduce.find("symmetry=auto") != std::string::npos)
    run().link(LinkKind::grouped, reinterpret_cast<const void*>(hash_of_start(start, argument)), thread->id);
  thread->detached = detached;
  *handle = thread->seat.handle;
  return 0;
}

int join_thread(pthread_t handle, void** result, const void* site) {
  Thread& thread = joinable(handle, site);
  if (&thread == &run().current()) return join_self(site);
  if (thread.status != Status::ended) {
    thread.awaited = true;
    run().perform({Op::thread_join, site, thread.as_object(), nullptr, thread.id});
  }
  return finish_join(thread, result, site);
}

int detach_thread(pthread_t handle, const void* site) {
  Thread* thread = run().thread_of_handle(handle);
  if (thread == nullptr) no_such_thread(site);
  if (thread->joined || thread->detached) misuse(site, "a thread is detached that was joined or detached before");
  thread->detached = true;
  return 0;
}

void exit_thread(void* result) {
  Thread& me = run().current();
  me.result = result;
  auto* token = static_cast<_Unwind_Exception*>(me.arena.allocate_own(sizeof(_Unwind_Exception)));
  _Unwind_ForcedUnwind(token, end_at_last_frame, nullptr);
  // Unwinding could not begin (a frame without unwind information): end without destructors.
  jump_to_cleanup(UINTPTR_MAX);
  end_thread();
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                               void* argument) {
  if (exec::phase == exec::Phase::native) return create_natively(handle, attributes, {start, argument});
  if (!controlled()) return NORN_REAL(pthread_create)(handle, attributes, start, argument);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) {
    refuse_other_stacks(*attributes, NORN_SITE);
    pthread_attr_getdetachstate(attributes, &detached);
  }
  return create_thread(handle, detached == PTHREAD_CREATE_DETACHED, start, argument, NORN_SITE);
}

NORN_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!controlled()) return NORN_REAL(pthread_join)(handle, result);
  return join_thread(handle, result, NORN_SITE);
}

NORN_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  if (!controlled()) return NORN_REAL(pthread_tryjoin_np)(handle, result);
  return try_join(handle, result, EBUSY, NORN_SITE);
}

NORN_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* deadline) {
  if (!controlled()) return NORN_REAL(pthread_timedjoin_np)(handle, result, NativeDeadline(deadline).get());
  return try_join(handle, result, ETIMEDOUT, NORN_SITE);
}

NORN_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const timespec* deadline) {
  if (!controlled()) return NORN_REAL(pthread_clockjoin_np)(handle, result, clock, NativeDeadline(deadline).get());
  return try_join(handle, result, ETIMEDOUT, NORN_SITE);
}

NORN_EXPORT int pthread_detach(pthread_t handle) {
  if (!controlled()) return NORN_REAL(pthread_detach)(handle);
  return detach_thread(handle, NORN_SITE);
}

NORN_EXPORT void pthread_exit(void* result) {
  if (!controlled()) {
    NORN_REAL(pthread_exit)(result);
    __builtin_unreachable();
  }
  exit_thread(result);
}

/// The main thread of a run is not on the stack that the C library knows, which knows of no guards either.
NORN_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  const int error = NORN_REAL(pthread_getattr_np)(handle, attributes);
  const Thread* const thread = controlled() && error == 0 ? run().thread_of_handle(handle) : nullptr;
  if (thread == nullptr) return error;
  void* stack = thread->seat.stack_limit;
  std::size_t size = exec::stack_size;
  if (thread->id != main_thread) pthread_attr_getstack(attributes, &stack, &size);
  return pthread_attr_setstack(attributes, static_cast<char*>(stack) + exec::stack_guard, size - exec::stack_guard);
}

NORN_EXPORT int pthread_cancel(pthread_t handle) {
  if (!controlled()) return NORN_REAL(pthread_cancel)(handle);
  run().cut_uncontrolled("the program cancels a thread (pthread_cancel)", NORN_SITE);
}

NORN_EXPORT int pthread_setcancelstate(int state, int* old) {
  if (!controlled()) return NORN_REAL(pthread_setcancelstate)(state, old);
  return exchange_flag(run().current().cancel_disabled, state, PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE, old);
}

NORN_EXPORT int pthread_setcanceltype(int type, int* old) {
  if (!controlled()) return NORN_REAL(pthread_setcanceltype)(type, old);
  return exchange_flag(run().current().cancel_asynchronous, type, PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS,
                       old);
}

/// What the compiler calls for a thread_local object with a destructor.
NORN_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* module) {
  using Register = int(void (*)(void*), void*, void*);
  if (!controlled()) return exec::real<Register, "__cxa_thread_atexit_impl">()(function, object, module);
  Thread& me = run().current();
  void* memory = me.arena.allocate_own(sizeof(exec::ThreadLocalDestructor));
  me.destructors = new (memory) exec::ThreadLocalDestructor{function, object, me.destructors};
  return 0;
}
