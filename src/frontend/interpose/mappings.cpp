// Memory that the program maps. What a run maps is unmapped after it.

#include <sys/mman.h>

#include <algorithm>
#include <cstdarg>

#include "exec/shared_writes.hpp"
#include "frontend/interpose/descriptors.hpp"
#include "frontend/interpose/interpose.hpp"
#include "support/address.hpp"

namespace norn::frontend {
namespace {

constexpr int own_memory = MAP_PRIVATE | MAP_ANONYMOUS;

/// Whole pages are mapped.
std::size_t in_pages(std::size_t size) { return (size + exec::page_size - 1) & ~(exec::page_size - 1); }

void note_begin(const void* address, std::size_t size) { run().watch().mapped(number(address), in_pages(size)); }

void note_end(const void* address, std::size_t size, const void* site) {
  run().watch().unmapped(number(address), in_pages(size), site);
}

void expect_from_run(const void* address, const char* what, const void* site) {
  if (outlives_run() && exec::is_mapped_early(address)) run().cut_uncontrolled(what, site);
}

/// What is there goes on in another place, or in the same, with less or more behind it.
void note_move(char* from, std::size_t size, char* to, std::size_t new_size, const void* site) {
  exec::move_mapping(from, size, to, new_size);
  const std::size_t kept = from == to ? std::min(in_pages(size), in_pages(new_size)) : 0;
  note_end(from + kept, in_pages(size) - kept, site);
  note_begin(to + kept, in_pages(new_size) - kept);
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor,
                       off_t offset) noexcept {
  void* result = NORN_REAL(mmap)(address, size, protection, flags, descriptor, offset);
  if (result == MAP_FAILED) return result;
  const bool is_own = (flags & own_memory) == own_memory;
  if (controlled()) {
    if ((flags & MAP_FIXED) != 0) note_end(result, size, NORN_SITE);
    exec::note_mapping(result, size, is_own);
    note_begin(result, size);
  }
  // Norn's own are at fixed places, or made when it is at work.
  const bool is_program = exec::phase == exec::Phase::native && (flags & MAP_FIXED_NOREPLACE) == 0;
  if (is_program && (protection & PROT_WRITE) != 0) exec::note_early_mapping(result, size, is_own);
  return result;
}

/// The same with large files in mind, which makes no difference here.
NORN_EXPORT void* mmap64(void* address, std::size_t size, int protection, int flags, int descriptor,
                         off64_t offset) noexcept {
  return mmap(address, size, protection, flags, descriptor, offset);
}

NORN_EXPORT void* mremap(void* address, std::size_t size, std::size_t new_size, int flags, ...) noexcept {
  void* wanted = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list rest;
    va_start(rest, flags);
    wanted = va_arg(rest, void*);
    va_end(rest);
  }
  const Site site(NORN_BARE_SITE);
  if (controlled()) expect_from_run(address, "the program moves what it has mapped before main() (mremap)", site);
  exec::shared_writes.give_up_looking();
  void* result = NORN_REAL(mremap)(address, size, new_size, flags, wanted);
  if (result == MAP_FAILED || !controlled()) return result;
  if (wanted != nullptr) note_end(wanted, new_size, site);
  note_move(static_cast<char*>(address), size, static_cast<char*>(result), new_size, site);
  return result;
}

NORN_EXPORT int mprotect(void* address, std::size_t size, int protection) noexcept {
  if (exec::phase == exec::Phase::native) exec::note_early_protection(address, size);
  return NORN_REAL(mprotect)(address, size, protection);
}

NORN_EXPORT int munmap(void* address, std::size_t size) noexcept {
  expect_from_run(address, "the program unmaps what it has mapped before main() (munmap)", NORN_SITE);
  if (exec::phase != exec::Phase::norn) exec::forget_mapping(address, size);
  exec::shared_writes.give_up_looking();
  const int result = NORN_REAL(munmap)(address, size);
  if (result == 0 && controlled()) note_end(address, size, NORN_SITE);
  return result;
}
