#pragma once

// Deadlocks that did not happen, from the order in which threads take locks (Goodlock, Havelund 2000; with several
// threads and guards as in Bensalem and Havelund 2005).

#include <cstdint>
#include <span>
#include <vector>

#include "trace/event.hpp"

namespace norn::analysis {

inline constexpr unsigned max_guards = 6;

/// A thread took a lock while it held another one.
struct LockEdge {
  ThreadId thread = no_thread;
  const void* holds = nullptr;
  const void* takes = nullptr;
  const void* holds_site = nullptr;
  const void* takes_site = nullptr;
  std::uint32_t guard_count = 0;
  const void* guards[max_guards] = {};  ///< what else it held

  [[nodiscard]] bool same_as(const LockEdge& other) const {
    return thread == other.thread && holds == other.holds && takes == other.takes && takes_site == other.takes_site;
  }
};

/// Every thread of it holds what the one before it wants.
using LockCycle = std::vector<LockEdge>;

/// All cycles of different threads that no common lock keeps apart, each once, the shortest first. At most `limit`.
std::vector<LockCycle> lock_cycles(std::span<const LockEdge> edges, std::size_t limit);

}  // namespace norn::analysis
