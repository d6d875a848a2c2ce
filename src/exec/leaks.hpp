#pragma once

#include <span>
#include <vector>

#include "exec/snapshot.hpp"
#include "exec/thread.hpp"

namespace norn::exec {

/// The blocks that are allocated but cannot be reached any more, from variables, from the stacks of living threads or
/// from other blocks that can be reached. Whatever looks like a pointer is taken for one. `stack` is where the caller's
/// own stack ends.
std::vector<const void*> unreachable_blocks(std::span<const Thread> threads, const Snapshot& snapshot,
                                            const Thread& self, const void* stack);

}  // namespace norn::exec
