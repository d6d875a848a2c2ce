// __tsan_read*, __tsan_write* and their like: what -fsanitize=thread puts before every plain memory access, in the
// dialects of GCC and Clang. Plain accesses are not scheduling points.

#include <cstddef>
#include <cstring>

#include "frontend/interpose/interpose.hpp"

NORN_EXPORT void __tsan_init() {}
NORN_EXPORT void __tsan_func_entry(void*) {}
NORN_EXPORT void __tsan_func_exit() {}
NORN_EXPORT void __tsan_vptr_update(void**, void*) {}
NORN_EXPORT void __tsan_vptr_read(void**) {}
NORN_EXPORT void __tsan_read_range(void*, std::size_t) {}
NORN_EXPORT void __tsan_write_range(void*, std::size_t) {}
NORN_EXPORT void __tsan_ignore_thread_begin() {}
NORN_EXPORT void __tsan_ignore_thread_end() {}

#define NORN_ACCESSES(SIZE)                                       \
  NORN_EXPORT void __tsan_read##SIZE(void*) {}                    \
  NORN_EXPORT void __tsan_write##SIZE(void*) {}                   \
  NORN_EXPORT void __tsan_read_write##SIZE(void*) {}              \
  NORN_EXPORT void __tsan_unaligned_read##SIZE(void*) {}          \
  NORN_EXPORT void __tsan_unaligned_write##SIZE(void*) {}         \
  NORN_EXPORT void __tsan_unaligned_read_write##SIZE(void*) {}    \
  NORN_EXPORT void __tsan_volatile_read##SIZE(void*) {}           \
  NORN_EXPORT void __tsan_volatile_write##SIZE(void*) {}          \
  NORN_EXPORT void __tsan_unaligned_volatile_read##SIZE(void*) {} \
  NORN_EXPORT void __tsan_unaligned_volatile_write##SIZE(void*) {}

NORN_ACCESSES(1)
NORN_ACCESSES(2)
NORN_ACCESSES(4)
NORN_ACCESSES(8)
NORN_ACCESSES(16)

// Clang calls these instead of memcpy and its like.
NORN_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) { return std::memcpy(to, from, size); }
NORN_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) { return std::memmove(to, from, size); }
NORN_EXPORT void* __tsan_memset(void* to, int value, std::size_t size) { return std::memset(to, value, size); }
