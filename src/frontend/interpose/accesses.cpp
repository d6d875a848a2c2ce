// __tsan_read*, __tsan_write* and their like: what -fsanitize=thread puts before every plain memory access, in the
// dialects of GCC and Clang. Nearly all of them are by the thread that had the memory last and end here.

#include <cstddef>

#include "exec/shared_writes.hpp"
#include "frontend/interpose/accesses.hpp"
#include "frontend/interpose/interpose.hpp"
#include "support/address.hpp"

namespace norn::frontend {
namespace {

using analysis::Access;
using exec::accessor;

[[gnu::noinline]] void examine(const void* address, std::size_t size, Access access, const void* site) {
  if (accessor.patience == 0) run().look_at_computation(site);
  run().access(number(address), size, access, site);
}

/// Has nothing of its own in its frame, which is not cleared (exec/traces.hpp).
[[gnu::noinline, gnu::cold]] void look_closer(const void* address, std::size_t size, Access access, const void* site) {
  if (!accessor.cares_about(number(address)) && accessor.patience != 0) return;
  examine(address, size, access, site);
  exec::leave_no_traces();
}

/// One that is looked at closely in any case.
[[gnu::always_inline]] inline void count_access() {
  if (accessor.patience > 1) --accessor.patience;
}

/// Whether an access that the compiler shows needs no closer look.
template <std::size_t size, bool writes>
[[gnu::always_inline]] inline bool is_known(const void* address) {
  return --accessor.patience != 0 && is_known_by_cells<size, writes>(address);
}

}  // namespace

void access_range(const void* address, std::size_t size, bool writes, const void* site) {
  if (writes) exec::shared_writes.note_change_at(number(address));
  if (accessor.key == 0 || size == 0) return;
  count_access();
  look_closer(address, size, writes ? Access::write : Access::read, site);
}

}  // namespace norn::frontend

using namespace norn::frontend;

#define NORN_KNOWN(SIZE, WRITES)                                             \
  if (norn::exec::accessor.key == 0 || is_known<SIZE, WRITES>(a)) [[likely]] \
  return
#define NORN_WROTE(SIZE) norn::exec::shared_writes.note(norn::number(a), SIZE)
#define NORN_LOOK(SIZE, ACCESS) look_closer(a, SIZE, norn::analysis::Access::ACCESS, NORN_BARE_SITE)

#define NORN_READS(NAME, SIZE)           \
  NORN_EXPORT void NAME##SIZE(void* a) { \
    NORN_KNOWN(SIZE, false);             \
    NORN_LOOK(SIZE, read);               \
  }
#define NORN_WRITES(NAME, SIZE)          \
  NORN_EXPORT void NAME##SIZE(void* a) { \
    NORN_WROTE(SIZE);                    \
    NORN_KNOWN(SIZE, true);              \
    NORN_LOOK(SIZE, write);              \
  }
#define NORN_UPDATES(NAME, SIZE)         \
  NORN_EXPORT void NAME##SIZE(void* a) { \
    NORN_WROTE(SIZE);                    \
    NORN_KNOWN(SIZE, true);              \
    NORN_LOOK(SIZE, read);               \
    NORN_LOOK(SIZE, write);              \
  }
#define NORN_UNALIGNED(NAME, SIZE, ACCESS)                          \
  NORN_EXPORT void NAME##SIZE(void* a) {                            \
    if (is_write(norn::analysis::Access::ACCESS)) NORN_WROTE(SIZE); \
    if (norn::exec::accessor.key == 0) return;                      \
    count_access();                                                 \
    NORN_LOOK(SIZE, ACCESS);                                        \
  }

#define NORN_ACCESSES(SIZE)                                     \
  NORN_READS(__tsan_read, SIZE)                                 \
  NORN_WRITES(__tsan_write, SIZE)                               \
  NORN_UPDATES(__tsan_read_write, SIZE)                         \
  NORN_READS(__tsan_volatile_read, SIZE)                        \
  NORN_WRITES(__tsan_volatile_write, SIZE)                      \
  NORN_UNALIGNED(__tsan_unaligned_read, SIZE, read)             \
  NORN_UNALIGNED(__tsan_unaligned_write, SIZE, write)           \
  NORN_UNALIGNED(__tsan_unaligned_volatile_read, SIZE, read)    \
  NORN_UNALIGNED(__tsan_unaligned_volatile_write, SIZE, write)  \
  NORN_EXPORT void __tsan_unaligned_read_write##SIZE(void* a) { \
    NORN_WROTE(SIZE);                                           \
    if (norn::exec::accessor.key == 0) return;                  \
    count_access();                                             \
    NORN_LOOK(SIZE, read);                                      \
    NORN_LOOK(SIZE, write);                                     \
  }

NORN_ACCESSES(1)
NORN_ACCESSES(2)
NORN_ACCESSES(4)
NORN_ACCESSES(8)
NORN_ACCESSES(16)

NORN_EXPORT void __tsan_init() {}
NORN_EXPORT void __tsan_func_entry(void*) {}
NORN_EXPORT void __tsan_func_exit() {}
NORN_EXPORT void __tsan_ignore_thread_begin() {}
NORN_EXPORT void __tsan_ignore_thread_end() {}

NORN_EXPORT void __tsan_vptr_read(void** a) {
  NORN_KNOWN(8, false);
  NORN_LOOK(8, read);
}
/// Constructors and destructors store the same pointer again when a class does not override anything: no conflict.
NORN_EXPORT void __tsan_vptr_update(void** a, void* value) {
  if (*a == value) return;
  NORN_WROTE(8);
  NORN_KNOWN(8, true);
  NORN_LOOK(8, write);
}

NORN_EXPORT void __tsan_read_range(void* a, std::size_t size) { access_range(a, size, false, NORN_BARE_SITE); }
NORN_EXPORT void __tsan_write_range(void* a, std::size_t size) { access_range(a, size, true, NORN_BARE_SITE); }
