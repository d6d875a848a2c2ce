#pragma once

#include <cstddef>

#include "exec/scheduler.hpp"
#include "support/address.hpp"

namespace norn::frontend {

/// The current thread reads or writes memory in a way that the compiler does not show.
void access_range(const void* address, std::size_t size, bool writes, const void* site);

template <bool writes>
[[gnu::always_inline]] inline bool is_known_cell(analysis::Cell& cell, unsigned mask) {
  return writes ? known_write(exec::accessor, cell, mask) : known_read(exec::accessor, cell, mask);
}

/// Whether an access to `size` bytes that lie in one cell, or fill several, was by the thread that had them last.
template <std::size_t size, bool writes>
[[gnu::always_inline]] inline bool is_known_by_cells(const void* address) {
  analysis::Cell* cell = exec::shadow->find(number(address));
  if (cell == nullptr) return false;
  if constexpr (size < 4) return is_known_cell<writes>(*cell, ((1U << size) - 1) << (number(address) & 3));
  for (std::size_t i = 0; i < size / 4; ++i) {
    if (!is_known_cell<writes>(cell[i], 0xf)) return false;
    // One after the other: for all at once there are not enough registers, and this frame is not cleared.
    asm volatile("" ::: "memory");
  }
  return true;
}

/// Atomic accesses do not race with each other, but with plain ones they do.
inline void accessed(const void* address, std::size_t size, bool writes, const void* site) {
  exec::scheduler->touch_atomically(number(address), size);
  exec::scheduler->watch().access(number(address), size,
                                  writes ? analysis::Access::atomic_write : analysis::Access::atomic_read, site);
}

/// A plain variable that is read or written as a part of a visible operation. That is not looking around: what was seen
/// there is known with the operation.
template <bool writes, typename T>
void access_operand(const T* variable, const void* site) {
  if constexpr (writes) exec::shared_writes.note(number(variable), sizeof(T));
  if (exec::accessor.key == 0) return;
  constexpr std::uintptr_t unaligned = (sizeof(T) < 4 ? sizeof(T) : 4) - 1;
  if ((number(variable) & unaligned) == 0 && is_known_by_cells<sizeof(T), writes>(variable)) return;
  using analysis::Access;
  exec::scheduler->access(number(variable), sizeof(T), writes ? Access::write : Access::read, site);
}

/// The same for an operand of any size.
inline void access_operand(const void* operand, std::size_t size, bool writes, const void* site) {
  using analysis::Access;
  if (writes) exec::shared_writes.note_change_at(number(operand));
  if (exec::accessor.key != 0 && size != 0)
    exec::scheduler->access(number(operand), size, writes ? Access::write : Access::read, site);
}

}  // namespace norn::frontend
