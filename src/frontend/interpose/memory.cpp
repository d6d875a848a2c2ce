// malloc and its family. In a run every thread allocates from its own arena; outside, the program has a heap of
// its own, apart from Norn's.

#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exec/process_heap.hpp"
#include "exec/shared_writes.hpp"
#include "frontend/interpose/accesses.hpp"
#include "frontend/interpose/interpose.hpp"

namespace norn::frontend {
namespace {

using exec::Phase;

[[noreturn]] void over_memory_limit(const void* site) { run().end_run(End::memory_limit, site, {}); }

void* allocate(std::size_t size, std::size_t alignment, const void* site) {
  void* block = nullptr;
  switch (exec::phase) {
    case Phase::program: {
      // No --max-memory would be enough.
      if (size >= exec::Arena::region_size) break;
      exec::Arena& arena = run().current().arena;
      const std::size_t used = arena.used();
      block = arena.allocate(size, alignment, run().options().max_memory);
      if (block == nullptr) over_memory_limit(site);
      exec::shared_writes.note_change();
      run().watch().allocated(block, arena.used() == used, site);
      return block;
    }
    case Phase::native: block = exec::process_allocate(size, alignment); break;
    case Phase::norn: block = exec::norn_allocate(size, alignment); break;
  }
  if (block == nullptr) errno = ENOMEM;
  return block;
}

/// Nothing in the way from a block to its owner can be trusted if the pointer is nonsense, so look before.
[[noreturn]] void invalid_free(void* block, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  run().watch().memory_error("invalid free: it frees something that is not an allocated block", address, 1,
                             analysis::Access::free, nullptr, site);
}

/// Destroying a std::mutex calls nothing.
void expect_no_lock_in(const void* block, std::size_t size, const void* site) {
  if (const void* lock = run().held_within(block, size))
    misuse(site, "memory is freed that contains a lock which a thread holds", lock);
}

/// Before it is given back: by free, or by realloc.
void expect_living(void* block, std::string_view otherwise, const void* site) {
  if (!run().is_block(block)) invalid_free(block, site);
  const exec::BlockHeader& header = *exec::header_of(block);
  if (header.state == exec::block_freed)
    run().watch().memory_error(otherwise, reinterpret_cast<std::uintptr_t>(block), header.size, analysis::Access::free,
                               block, site);
}

/// Others may go first where accesses to the block are scheduling points.
void wait_to_free(void* block, const void* site) {
  run().will_free(reinterpret_cast<std::uintptr_t>(block), exec::header_of(block)->size, site);
}

/// In a frame of its own, which is cleared when it is left (exec/traces.hpp).
[[gnu::noinline]] void release_arena_block(void* block, const void* site) {
  constexpr std::string_view otherwise = "double free: it frees a block that was freed before";
  expect_living(block, otherwise, site);
  wait_to_free(block, site);
  expect_living(block, otherwise, site);
  exec::BlockHeader& header = *exec::header_of(block);
  exec::shared_writes.note_change();
  run().watch().freed(block, header.size, site);
  expect_no_lock_in(block, header.size, site);
  header.state = exec::block_freed;
  if (header.owner == self()) run().current().arena.recycle(block);
}

void release(void* block, const void* site) {
  if (block == nullptr) return;
  if (exec::in_norn_heap(block)) return exec::norn_free(block);
  if (!controlled()) {
    // What is left of a run is given back with the run.
    if (exec::in_process_heap(block)) exec::process_free(block);
    return;
  }
  if (exec::in_arena(block)) return release_arena_block(block, site);
  // A block from before the run stays, because its heap comes back with the snapshot.
  if (!exec::in_process_heap(block)) invalid_free(block, site);
  wait_to_free(block, site);
  run().watch().freed(block, exec::header_of(block)->size, site);
  expect_no_lock_in(block, exec::header_of(block)->size, site);
}

void* resize(void* block, std::size_t size, const void* site) {
  if (block == nullptr) return allocate(size, 16, site);
  if (size == 0) {
    release(block, site);
    return nullptr;
  }
  if (controlled() && exec::in_arena(block))
    expect_living(block, "double free: it gives realloc a block that was freed before", site);
  void* larger = allocate(size, 16, site);
  if (larger == nullptr) return nullptr;
  if (controlled()) access_range(block, std::min<std::size_t>(size, exec::header_of(block)->size), false, site);
  std::memcpy(larger, block, std::min<std::size_t>(size, exec::header_of(block)->size));
  release(block, site);
  return larger;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void* malloc(std::size_t size) { return allocate(size, 16, NORN_SITE); }

NORN_EXPORT void free(void* block) { release(block, NORN_SITE); }

NORN_EXPORT void* calloc(std::size_t count, std::size_t size) {
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* block = allocate(total, 16, NORN_SITE);
  return block == nullptr ? nullptr : std::memset(block, 0, total);
}

NORN_EXPORT void* realloc(void* block, std::size_t size) { return resize(block, size, NORN_SITE); }

NORN_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return resize(block, total, NORN_SITE);
}

NORN_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  *block = allocate(size, alignment, NORN_SITE);
  return *block == nullptr ? ENOMEM : 0;
}

NORN_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, NORN_SITE);
}

NORN_EXPORT void* memalign(std::size_t alignment, std::size_t size) { return allocate(size, alignment, NORN_SITE); }

NORN_EXPORT void* valloc(std::size_t size) { return allocate(size, 4096, NORN_SITE); }

NORN_EXPORT void* pvalloc(std::size_t size) { return allocate((size + 4095) & ~std::size_t{4095}, 4096, NORN_SITE); }

NORN_EXPORT std::size_t malloc_usable_size(void* block) { return block == nullptr ? 0 : exec::header_of(block)->size; }
