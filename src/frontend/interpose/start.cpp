// Where the program begins: if `norn check` started it, its main is what is explored.

#include <cstdlib>

#include "exec/context.hpp"
#include "exec/prelude.hpp"
#include "exec/real.hpp"
#include "exec/session.hpp"
#include "exec/snapshot.hpp"
#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"

namespace {

using Main = int(int, char**, char**);
using StartMain = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);

Main* program_main = nullptr;

struct Arguments {
  int count;
  char** values;
  char** environment;
};

void* call_program_main(void* arguments) {
  norn::exec::Thread& self = norn::frontend::run().current();
  self.first_code = reinterpret_cast<const void*>(program_main);
  const auto& [count, values, environment] = *static_cast<const Arguments*>(arguments);
  const int code = program_main(count, values, environment);
  self.dead_below = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  norn::frontend::run().watch().left_stack(self);
  norn::frontend::exit_process(code, true, nullptr);
}

const char* session() { return NORN_REAL(getenv)("NORN_SESSION"); }

int norn_main(int count, char** values, char** environment) {
  norn::exec::prelude_is_over = true;
  if (session() == nullptr) {
    norn::frontend::begin_noise();
    return program_main(count, values, environment);
  }
  // Not OwnFloatingPoint: the destructor would be the program's to call, in every run.
  static const auto callers = norn::exec::FloatingPoint::now();
  norn::exec::FloatingPoint().load();
  static Arguments arguments{count, values, environment};
  const auto explore = [](void*) {
    norn::exec::run_session(atoi(session()), {call_program_main, &arguments, callers});
  };
  norn::exec::norn_on_stack(norn::exec::stack_below(__builtin_frame_address(0)), explore, nullptr);
  __builtin_unreachable();
}

}  // namespace

bool norn::exec::in_prelude() {
  if (prelude_is_over || phase != Phase::native) return false;
  static const bool is_explored = session() != nullptr;
  return is_explored;
}

NORN_EXPORT int __libc_start_main(Main* main, int count, char** values, void (*init)(), void (*fini)(),
                                  void (*loader_fini)(), void* stack_end) {
  program_main = main;
  return norn::exec::real<StartMain, "__libc_start_main">()(norn_main, count, values, init, fini, loader_fini,
                                                            stack_end);
}
