// Where the program begins: if `norn check` started it, its main is what is explored.

#include <cstdlib>

#include "exec/session.hpp"
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
  const auto& [count, values, environment] = *static_cast<Arguments*>(arguments);
  const int code = program_main(count, values, environment);
  norn::frontend::exit_process(code, true, nullptr);
}

int norn_main(int count, char** values, char** environment) {
  const char* session = getenv("NORN_SESSION");
  if (session == nullptr) {
    norn::frontend::begin_noise();
    return program_main(count, values, environment);
  }
  static Arguments arguments{count, values, environment};
  norn::exec::run_session(atoi(session), {call_program_main, &arguments});
}

}  // namespace

NORN_EXPORT int __libc_start_main(Main* main, int count, char** values, void (*init)(), void (*fini)(),
                                  void (*loader_fini)(), void* stack_end) {
  program_main = main;
  auto* real = reinterpret_cast<StartMain*>(norn::exec::next_definition("__libc_start_main"));
  return real(norn_main, count, values, init, fini, loader_fini, stack_end);
}
