#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <span>

#include "exec/fatal.hpp"

namespace norn::exec {

/// Zeroes that forked processes share; what is not touched costs nothing.
template <typename T>
std::span<T> map_shared(std::size_t count) {
  void* memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("out of memory for the trace of a run: lower --max-steps or --max-threads");
  return {static_cast<T*>(memory), count};
}

template <typename T>
void unmap_shared(std::span<T> memory) {
  munmap(memory.data(), memory.size_bytes());
}

}  // namespace norn::exec
