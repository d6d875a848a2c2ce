// pthread_setname_np, pthread_getname_np and prctl: what threads call themselves. The kernel keeps names for OS
// threads, which fibers share and which outlive a run, so Norn keeps them instead. Nobody else has a turn in between:
// programs give names for people to read, and interleavings of that would only be more of the same.

#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>

#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/descriptors.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

/// As long as it is, or as long as a name can be.
void set_name(exec::ThreadName& name, const char* text) {
  const std::size_t length = NORN_REAL(strnlen)(text, name.size() - 1);
  name = {};
  std::copy_n(text, length, name.begin());
}

/// Whether it changes the process, or the OS thread.
bool lasts(int option) {
  constexpr std::array options = {
      PR_SET_PDEATHSIG,    PR_SET_DUMPABLE,    PR_SET_KEEPCAPS,   PR_SET_TIMING,     PR_SET_SECCOMP,
      PR_CAPBSET_DROP,     PR_SET_TSC,         PR_SET_SECUREBITS, PR_SET_TIMERSLACK, PR_SET_CHILD_SUBREAPER,
      PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE, PR_SET_IO_FLUSHER, PR_CAP_AMBIENT,    PR_SET_SPECULATION_CTRL};
  return std::find(options.begin(), options.end(), option) != options.end();
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT int pthread_setname_np(pthread_t handle, const char* text) noexcept {
  if (!controlled()) return NORN_REAL(pthread_setname_np)(handle, text);
  reads_string(text, NORN_CALLER);
  const Thread* thread = run().thread_of_handle(handle);
  if (thread == nullptr) return ESRCH;
  exec::ThreadName& name = run().name_of(thread->id);
  if (NORN_REAL(strnlen)(text, name.size()) == name.size()) return ERANGE;
  set_name(name, text);
  return 0;
}

NORN_EXPORT int pthread_getname_np(pthread_t handle, char* buffer, std::size_t size) noexcept {
  if (!controlled()) return NORN_REAL(pthread_getname_np)(handle, buffer, size);
  const Thread* thread = run().thread_of_handle(handle);
  if (thread == nullptr) return ESRCH;
  const exec::ThreadName& name = run().name_of(thread->id);
  if (size < name.size()) return ERANGE;
  writes(buffer, NORN_REAL(strlen)(name.data()) + 1, NORN_CALLER);
  NORN_REAL(strcpy)(buffer, name.data());
  return 0;
}

NORN_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  unsigned long arguments[4];
  for (unsigned long& argument : arguments) argument = va_arg(list, unsigned long);
  va_end(list);
  if (outlives_run() && lasts(option)) run().record().note("the program changes how the system treats it (prctl)");
  if (!controlled() || (option != PR_SET_NAME && option != PR_GET_NAME))
    return NORN_REAL(prctl)(option, arguments[0], arguments[1], arguments[2], arguments[3]);
  exec::ThreadName& name = run().name_of(self());
  auto* const text = reinterpret_cast<char*>(arguments[0]);  // NOLINT(performance-no-int-to-ptr)
  if (option == PR_SET_NAME) {
    reads_string(text, name.size(), NORN_CALLER);
    set_name(name, text);
  } else {
    writes(text, name.size(), NORN_CALLER);
    std::copy(name.begin(), name.end(), text);
  }
  return 0;
}
