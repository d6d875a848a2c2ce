// pthread_once (and so std::call_once), function-local statics.

#include <cerrno>

#include "exec/backtrace.hpp"
#include "frontend/interpose/interpose.hpp"
#include "trace/dependency.hpp"

namespace norn::frontend {
namespace {

/// What an attempt has done happens before whatever the next thread finds there, also if the attempt failed.
void publish_to_next(const void* address) {
  run().publish_time(address);
  run().watch().released(address);
}

/// Gives up unless told that the body has finished: it may end by an exception.
class Attempt {
 public:
  explicit Attempt(Once once) : once_(once) { once_.begin(); }
  ~Attempt() {
    if (finished_) return;
    end();
    once_.give_up();
  }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  void finish() {
    end();
    once_.finish();
    finished_ = true;
  }

 private:
  void end() {
    publish_to_next(once_.address);
    run().link(LinkKind::released, once_.address);
  }

  Once once_;
  bool finished_ = false;
};

/// True if the caller is the one to do it.
bool begin_once(Once once, const void* site) {
  // A guard is no part of anything that can be freed.
  if (!once.guard) touches(static_cast<char*>(once.address), site);
  run().perform({Op::once, site, once.address, nullptr, once.guard});
  run().watch().acquired(once.address);
  if (!once.done()) return true;
  run().commuted();
  return false;
}

}  // namespace

void do_once(Once once, void (*body)(), const void* site) {
  if (!begin_once(once, site)) return;
  Attempt attempt(once);
  body();
  attempt.finish();
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_once(pthread_once_t* control, void (*body)()) {
  if (!controlled() || exec::in_compiler_library(NORN_SITE)) return NORN_REAL(pthread_once)(control, body);
  do_once({control, false}, body, NORN_SITE);
  return 0;
}

// Function-local statics. Outside of runs the C++ library does it, if there is one: the program may be a C program,
// but Norn's own C++ library may ask.

namespace {

/// Compiled code looks at the guard before it asks, so others can see when it changes, and whether it has.
void finish_visibly(void* guard, bool done, const void* site) {
  run().perform({Op::atomic_store, site, guard});
  run().event().before = state::begun;
  run().event().value = done ? 1 : 0;
  publish_to_next(guard);
}

template <typename Signature, exec::Name name>
Signature* in_program_library() {
  return exec::phase == exec::Phase::native ? exec::real_if_any<Signature, name>() : nullptr;
}

}  // namespace

NORN_EXPORT int __cxa_guard_acquire(void* guard) {
  const Once once{guard, true};
  if (once.done()) return 0;
  if (!controlled())
    if (auto* real = in_program_library<int(void*), "__cxa_guard_acquire">()) return real(guard);
  if (controlled() && !begin_once(once, NORN_SITE)) return 0;
  once.begin();
  return 1;
}

NORN_EXPORT void __cxa_guard_release(void* guard) {
  if (!controlled())
    if (auto* real = in_program_library<void(void*), "__cxa_guard_release">()) return real(guard);
  if (controlled()) finish_visibly(guard, true, NORN_SITE);
  Once{guard, true}.finish();
}

NORN_EXPORT void __cxa_guard_abort(void* guard) {
  if (!controlled())
    if (auto* real = in_program_library<void(void*), "__cxa_guard_abort">()) return real(guard);
  if (controlled()) finish_visibly(guard, false, NORN_SITE);
  Once{guard, true}.give_up();
}
