// What outlives a run and is neither memory that is watched nor a descriptor: the end of the data, the working
// directory, the mask for new files, limits and priorities, whom the process belongs to.

#include <dlfcn.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "frontend/interpose/descriptors.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

/// Later runs may begin with what this one has changed.
void note_change(std::string_view what) {
  if (outlives_run()) run().record().note(what);
}

void keep_limit(__rlimit_resource_t resource) {
  rlimit limit{};
  if (!outlives_run() || NORN_REAL(getrlimit)(resource, &limit) != 0) return;
  exec::undo_after_run([=] { NORN_REAL(setrlimit)(resource, &limit); });
}

void keep_priority(__priority_which_t which, id_t who) {
  if (!outlives_run()) return;
  const int priority = NORN_REAL(getpriority)(which, who);
  exec::undo_after_run([=] { NORN_REAL(setpriority)(which, who, priority); });
}

/// What is above the end of the data is empty again when the next run asks for it.
void keep_end_of_data() {
  if (!outlives_run()) return;
  void* const end = NORN_REAL(sbrk)(0);
  exec::undo_after_run([=] { NORN_REAL(brk)(end); });
}

/// By its number, because another thread puts it back.
void keep_processors(pid_t thread) {
  cpu_set_t processors;
  if (thread == 0) thread = NORN_REAL(gettid)();
  if (!outlives_run() || NORN_REAL(sched_getaffinity)(thread, sizeof processors, &processors) != 0) return;
  exec::undo_after_run([=] { NORN_REAL(sched_setaffinity)(thread, sizeof processors, &processors); });
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

/// What the loader changes in its own memory and in the address space is not undone between runs; and it counts how
/// often what is there already is opened.
NORN_EXPORT void* dlopen(const char* file, int mode) noexcept {
  if (outlives_run() && file != nullptr)
    run().cut_uncontrolled("the program loads a library while it runs (dlopen): use --isolation fork", NORN_SITE);
  return NORN_REAL(dlopen)(file, mode);
}

/// A library that is gone is missing in the next run. The program itself stays.
NORN_EXPORT int dlclose(void* handle) noexcept {
  if (outlives_run() && handle != NORN_REAL(dlopen)(nullptr, RTLD_LAZY | RTLD_NOLOAD))
    run().cut_uncontrolled("the program closes a library while it runs (dlclose): use --isolation fork", NORN_SITE);
  return NORN_REAL(dlclose)(handle);
}

/// What is given back may be from before the run.
NORN_EXPORT void* sbrk(std::intptr_t increment) noexcept {
  if (increment < 0) note_change("the program gives back memory (sbrk)");
  if (increment != 0) keep_end_of_data();
  return NORN_REAL(sbrk)(increment);
}

NORN_EXPORT int brk(void* end) noexcept {
  if (controlled() && end < NORN_REAL(sbrk)(0)) note_change("the program gives back memory (brk)");
  keep_end_of_data();
  return NORN_REAL(brk)(end);
}

NORN_EXPORT int chdir(const char* path) noexcept {
  if (outlives_run()) run().cut_uncontrolled("the program changes its working directory (chdir)", NORN_SITE);
  return NORN_REAL(chdir)(path);
}

NORN_EXPORT int fchdir(int directory) noexcept {
  if (outlives_run()) run().cut_uncontrolled("the program changes its working directory (fchdir)", NORN_SITE);
  return NORN_REAL(fchdir)(directory);
}

NORN_EXPORT mode_t umask(mode_t mask) noexcept {
  note_change("the program changes the mask for new files (umask)");
  const mode_t old = NORN_REAL(umask)(mask);
  if (outlives_run()) exec::undo_after_run([=] { NORN_REAL(umask)(old); });
  return old;
}

NORN_EXPORT int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  note_change("the program changes a limit of its process (setrlimit)");
  keep_limit(resource);
  return NORN_REAL(setrlimit)(resource, limit);
}

NORN_EXPORT int setrlimit64(__rlimit_resource_t resource, const rlimit64* limit) noexcept {
  note_change("the program changes a limit of its process (setrlimit)");
  keep_limit(resource);
  return NORN_REAL(setrlimit64)(resource, limit);
}

NORN_EXPORT int prlimit(pid_t pid, __rlimit_resource resource, const rlimit* limit, rlimit* old) noexcept {
  if (limit != nullptr) note_change("the program changes a limit of its process (prlimit)");
  if (limit != nullptr) keep_limit(resource);
  return NORN_REAL(prlimit)(pid, resource, limit, old);
}

NORN_EXPORT int prlimit64(pid_t pid, __rlimit_resource resource, const rlimit64* limit, rlimit64* old) noexcept {
  if (limit != nullptr) note_change("the program changes a limit of its process (prlimit)");
  if (limit != nullptr) keep_limit(resource);
  return NORN_REAL(prlimit64)(pid, resource, limit, old);
}

NORN_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  note_change("the program changes its priority (setpriority)");
  keep_priority(which, who);
  return NORN_REAL(setpriority)(which, who, priority);
}

NORN_EXPORT int nice(int increment) noexcept {
  if (increment != 0) note_change("the program changes its priority (nice)");
  if (increment != 0) keep_priority(PRIO_PROCESS, 0);
  return NORN_REAL(nice)(increment);
}

NORN_EXPORT int sched_setaffinity(pid_t thread, std::size_t size, const cpu_set_t* processors) noexcept {
  note_change("the program chooses its processors (sched_setaffinity)");
  keep_processors(thread);
  return NORN_REAL(sched_setaffinity)(thread, size, processors);
}

NORN_EXPORT int setuid(uid_t user) noexcept {
  note_change("the program changes whom it belongs to (setuid)");
  return NORN_REAL(setuid)(user);
}

NORN_EXPORT int setgid(gid_t group) noexcept {
  note_change("the program changes whom it belongs to (setgid)");
  return NORN_REAL(setgid)(group);
}

NORN_EXPORT pid_t setsid() noexcept {
  note_change("the program begins a session (setsid)");
  return NORN_REAL(setsid)();
}

NORN_EXPORT int personality(unsigned long changed) noexcept {
  constexpr unsigned long asks_only = 0xffffffff;
  if (changed != asks_only) note_change("the program changes how the system treats it (personality)");
  return NORN_REAL(personality)(changed);
}
