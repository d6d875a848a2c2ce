// The end of the process: exit, abort, assert, terminate, and the functions that say something and exit.

#include <err.h>
#include <fmt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdarg>

#include "exec/backtrace.hpp"
#include "exec/output.hpp"
#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/terminate.hpp"
#include "norn/runtime_abi.h"

namespace norn::frontend {
namespace {

/// What all threads' ways lead to: they race with the end of the process.
char whole_process;

/// The bug that --self-check is to find.
void (*planted_bug)(int with_lock) = nullptr;

/// These can do without atomic operations only.
bool prefers_locks(const std::string& strategy) { return strategy == "reachability" || strategy == "t-way"; }

}  // namespace

void exit_process(int code, bool handlers, const void* site, bool last) {
  const bool others_may_go_on = run().others_unjoined();
  if (!last && others_may_go_on) run().perform({Op::process_exit, site, &whole_process});
  const std::uint32_t steps = run().record().steps;
  if (handlers) {
    if (planted_bug != nullptr && run().options().self_check) planted_bug(prefers_locks(run().options().strategy));
    finish_thread_locals();
    exec::run_exit_handlers(exec::ExitKind::ordinary);
    exec::end_output(true);
  }
  if (run().record().steps != steps && others_may_go_on) {
    // What handlers and destructors did may show to others before the process is gone.
    if (!last) run().perform({Op::process_exit, site, &whole_process});
    if (last) run().entangle(Entangled::by_last);
  }
  run().check_properties();
  if (code == 0) run().check_leaks(site);
  code &= 0xff;
  if (code == 0) run().end_run(End::finished, site, {});
  run().end_run(End::exit_code, site, fmt::format("the program ended with exit code {}", code));
}

}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void norn_plant(void (*bug)(int with_lock)) { planted_bug = bug; }

NORN_EXPORT void exit(int code) {
  if (controlled()) exit_process(code, true, NORN_SITE);
  NORN_REAL(exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void _exit(int code) {
  if (controlled()) exit_process(code, false, NORN_SITE);
  NORN_REAL(_exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void _Exit(int code) {
  if (controlled()) exit_process(code, false, NORN_SITE);
  NORN_REAL(_exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void quick_exit(int code) {
  if (controlled()) {
    exec::run_exit_handlers(exec::ExitKind::quick);
    exit_process(code, false, NORN_SITE);
  }
  NORN_REAL(quick_exit)(code);
  __builtin_unreachable();
}

NORN_EXPORT void abort() {
  if (controlled()) run().end_run(End::abort, NORN_SITE, "abort() was called");
  NORN_REAL(abort)();
  __builtin_unreachable();
}

NORN_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  if (controlled()) run().end_run(End::assertion, NORN_SITE, fmt::format("assertion `{}` failed", expression));
  NORN_REAL(__assert_fail)(expression, file, line, function);
  __builtin_unreachable();
}

/// atexit and static destructors. Those from before the first run belong to every run. What the C++ library tidies
/// up for itself is not part of the program.
NORN_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* module) {
  using Register = int(void (*)(void*), void*, void*);
  if (exec::phase != exec::Phase::norn && !exec::in_compiler_library(module))
    exec::register_exit_handler(exec::ExitKind::ordinary, function, argument);
  if (controlled()) return 0;
  return exec::real<Register, "__cxa_atexit">()(function, argument, module);
}

NORN_EXPORT int __cxa_at_quick_exit(void (*function)(void*), void* module) {
  using Register = int(void (*)(void*), void*);
  if (exec::phase != exec::Phase::norn) exec::register_exit_handler(exec::ExitKind::quick, function, nullptr);
  if (controlled()) return 0;
  return exec::real<Register, "__cxa_at_quick_exit">()(function, module);
}

NORN_EXPORT int on_exit(void (*function)(int, void*), void* argument) noexcept {
  if (controlled()) run().cut_uncontrolled("the program registers an exit handler with on_exit", NORN_SITE);
  return NORN_REAL(on_exit)(function, argument);
}

// What says something and exits, which the C library does by itself.

namespace norn::frontend {
namespace {

[[noreturn]] void leave(int code, const void* site) {
  if (controlled()) exit_process(code, true, site);
  NORN_REAL(exit)(code);
  __builtin_unreachable();
}

/// For the only functions of the C library that print an error and take no list of arguments: what does not fit is left
/// out.
struct ErrorText {
  char characters[1 << 10];
  ErrorText(const char* format, va_list arguments) {
    NORN_REAL(vsnprintf)(characters, sizeof characters, format, arguments);
  }
};

}  // namespace
}  // namespace norn::frontend

NORN_EXPORT void verr(int code, const char* format, va_list arguments) {
  NORN_REAL(vwarn)(format, arguments);
  leave(code, NORN_SITE);
}

NORN_EXPORT void verrx(int code, const char* format, va_list arguments) {
  NORN_REAL(vwarnx)(format, arguments);
  leave(code, NORN_SITE);
}

NORN_EXPORT void err(int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  NORN_REAL(vwarn)(format, arguments);
  va_end(arguments);
  leave(code, NORN_SITE);
}

NORN_EXPORT void errx(int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  NORN_REAL(vwarnx)(format, arguments);
  va_end(arguments);
  leave(code, NORN_SITE);
}

// Declared here, because the header defines them, too, for callers that are optimised.
extern "C" void error(int code, int number, const char* format, ...);
extern "C" void error_at_line(int code, int number, const char* file, unsigned line, const char* format, ...);

NORN_EXPORT void error(int code, int number, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const ErrorText text(format, arguments);
  va_end(arguments);
  NORN_REAL(error)(0, number, "%s", text.characters);
  if (code != 0) leave(code, NORN_SITE);
}

NORN_EXPORT void error_at_line(int code, int number, const char* file, unsigned line, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const ErrorText text(format, arguments);
  va_end(arguments);
  NORN_REAL(error_at_line)(0, number, file, line, "%s", text.characters);
  if (code != 0) leave(code, NORN_SITE);
}
