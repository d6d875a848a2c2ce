// std::pmr::monotonic_buffer_resource and unsynchronized_pool_resource, which threads must not share without a lock,
// allocate inside the C++ library, where no instrumentation sees what they change.

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "frontend/interpose/caller.hpp"

namespace norn::frontend {

/// The part of a std::pmr::monotonic_buffer_resource that allocating changes.
struct Monotonic {
  const void* table;
  char* next;
  std::size_t available;
};

/// As the compiler lays it out.
struct MonotonicTable {
  std::ptrdiff_t offset_to_top;
  const void* type;
  void (*destroy)(Monotonic&);
  void (*destroy_and_free)(Monotonic&);
  void* (*allocate)(Monotonic&, std::size_t, std::size_t);
  void (*deallocate)(Monotonic&, void*, std::size_t, std::size_t);
  bool (*is_equal)(const Monotonic&, const Monotonic&);
};

namespace {

using Pool = std::pmr::unsynchronized_pool_resource;

/// Takes `size` bytes of what is left of the current buffer; nullptr if that is not enough.
void* take(Monotonic& pool, std::size_t size, std::size_t alignment) {
  const std::size_t gap = -reinterpret_cast<std::uintptr_t>(pool.next) & (alignment - 1);
  if (gap > pool.available || size > pool.available - gap) return nullptr;
  void* block = pool.next + gap;
  pool.next += gap + size;
  pool.available -= gap + size;
  return block;
}

void* allocate(Monotonic& pool, std::size_t size, std::size_t alignment) {
  const Caller caller = NORN_CALLER;
  reads(&pool.next, sizeof pool.next + sizeof pool.available, caller);
  writes(&pool.next, sizeof pool.next + sizeof pool.available, caller);
  // Two blocks never have the same address.
  if (size == 0) size = 1;
  if (void* block = take(pool, size, alignment)) return block;
  exec::real<void(Monotonic&, std::size_t, std::size_t), "_ZNSt3pmr25monotonic_buffer_resource13_M_new_bufferEmm">()(
      pool, size, alignment);
  return take(pool, size, alignment);
}

/// Memory comes back all at once.
void deallocate(Monotonic&, void*, std::size_t, std::size_t) {}
bool is_equal(const Monotonic& one, const Monotonic& other) { return &one == &other; }

/// A pool keeps its books in several places, of which one stands for all.
void changes(const Pool& pool, const Caller& caller) {
  writes(reinterpret_cast<const char*>(&pool + 1) - sizeof(void*), sizeof(void*), caller);
}

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

// An arena has no exported function that allocates, but the table of its virtual functions is exported: programs take
// this one. Its destructors are those of the program's C++ library, if there is one.

extern "C" {
[[gnu::weak]] extern const char norn_monotonic_type asm("_ZTINSt3pmr25monotonic_buffer_resourceE");
[[gnu::weak]] void norn_destroy_monotonic(Monotonic&) asm("_ZNSt3pmr25monotonic_buffer_resourceD1Ev");
[[gnu::weak]] void norn_delete_monotonic(Monotonic&) asm("_ZNSt3pmr25monotonic_buffer_resourceD0Ev");
}

NORN_EXPORT const MonotonicTable norn_monotonic_table asm("_ZTVNSt3pmr25monotonic_buffer_resourceE");
const MonotonicTable norn_monotonic_table = {
    0, &norn_monotonic_type, &norn_destroy_monotonic, &norn_delete_monotonic, &allocate, &deallocate, &is_equal,
};

#define NORN_POOL_ALLOCATE "_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm"
NORN_EXPORT void* norn_pool_allocate(Pool& pool, std::size_t size, std::size_t alignment) asm(NORN_POOL_ALLOCATE);
void* norn_pool_allocate(Pool& pool, std::size_t size, std::size_t alignment) {
  changes(pool, NORN_CALLER);
  return exec::real<void*(Pool&, std::size_t, std::size_t), NORN_POOL_ALLOCATE>()(pool, size, alignment);
}

#define NORN_POOL_DEALLOCATE "_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm"
NORN_EXPORT void norn_pool_deallocate(Pool& pool, void* block, std::size_t size,
                                      std::size_t alignment) asm(NORN_POOL_DEALLOCATE);
void norn_pool_deallocate(Pool& pool, void* block, std::size_t size, std::size_t alignment) {
  changes(pool, NORN_CALLER);
  exec::real<void(Pool&, void*, std::size_t, std::size_t), NORN_POOL_DEALLOCATE>()(pool, block, size, alignment);
}
