#pragma once

// Threads that are all the same: it makes no difference which of them does something, only that one does.
//
//   std::thread producer([&] { norn::symmetric("producer"); buffer.deposit(); });
//
// With `norn check --reduce symmetry`, sequences that differ only in which of them came first are exercised once.

#include <norn/detail/runtime.hpp>

namespace norn {

/// Called by a thread before it does anything else.
inline void symmetric(const char* group) {
  if (detail::explored()) norn_symmetric(group);
}

}  // namespace norn
