#pragma once

#include <cstdint>

namespace norn::exec {

/// Counts what the running thread writes outside of its own stack.
struct SharedWrites {
  std::uint64_t count = 0;
  std::uintptr_t own_begin = 0;
  std::uintptr_t own_size = 0;

  [[gnu::always_inline]] void note(std::uintptr_t address) { count += address - own_begin >= own_size; }
};
extern SharedWrites shared_writes;

}  // namespace norn::exec
