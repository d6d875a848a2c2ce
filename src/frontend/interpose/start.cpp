// Where the program begins: if `norn check` started it, its main is what is explored.

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "exec/prelude.hpp"
#include "exec/real.hpp"
#include "exec/session.hpp"
#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"

namespace {

using Main = int(int, char**, char**);
using StartMain = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);

Main* program_main = nullptr;

/// Programs take options out of their arguments, change their order or write into them. The arguments are on the first
/// stack of the process, which is not put back with the rest of the memory.
class Arguments {
 public:
  Arguments(int count, char** values, char** environment) : count_(count), values_(values), environment_(environment) {
    if (count == 0) return;
    // The kernel puts the texts one after the other.
    text_size_ = static_cast<std::size_t>(values[count - 1] - values[0]) + strlen(values[count - 1]) + 1;
    const std::size_t size = static_cast<std::size_t>(count) * sizeof(char*) + text_size_;
    void* memory = NORN_REAL(mmap)(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    original_ = static_cast<char**>(memory);
    std::copy_n(values, count, original_);
    std::copy_n(values[0], text_size_, text());
  }

  /// Calls main with the arguments as they were at the start.
  int call_main() {
    if (original_ != nullptr) {
      for (int i = 0; i < count_; ++i) values_[i] = original_[i];
      values_[count_] = nullptr;
      for (std::size_t i = 0; i < text_size_; ++i) original_[0][i] = text()[i];
    }
    return program_main(count_, values_, environment_);
  }

 private:
  [[nodiscard]] char* text() const { return reinterpret_cast<char*>(original_ + count_); }

  int count_;
  char** values_;
  char** environment_;
  std::size_t text_size_ = 0;
  char** original_ = nullptr;  ///< and after these the texts, in memory that is Norn's own
};

void* call_program_main(void* arguments) {
  norn::exec::Thread& self = norn::frontend::run().current();
  self.first_code = reinterpret_cast<const void*>(program_main);
  const int code = static_cast<Arguments*>(arguments)->call_main();
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
  static Arguments arguments(count, values, environment);
  const norn::exec::OwnFloatingPoint own;
  norn::exec::run_session(atoi(session()), {call_program_main, &arguments, own.callers()});
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
  auto* real = reinterpret_cast<StartMain*>(norn::exec::next_definition("__libc_start_main"));
  return real(norn_main, count, values, init, fini, loader_fini, stack_end);
}
