#pragma once

#include <cstddef>

namespace norn::frontend {

/// The current thread reads or writes memory in a way that the compiler does not show.
void access_range(const void* address, std::size_t size, bool writes, const void* site);

}  // namespace norn::frontend
