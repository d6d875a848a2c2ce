#pragma once

// Deadlocks that did not happen, from the order in which threads take locks (Goodlock, Havelund 2000; with several
// threads, guards and what creating and joining threads orders as in Bensalem and Havelund 2005).

#include <cstdint>
#include <span>
#include <vector>

#include "trace/event.hpp"
#include "trace/link.hpp"

namespace norn::analysis {

inline constexpr unsigned max_guards = 6;

/// A thread took a lock while it held another one.
struct LockEdge {
  ThreadId thread = no_thread;
  const void* holds = nullptr;
  const void* takes = nullptr;
  const void* holds_site = nullptr;
  const void* takes_site = nullptr;
  std::uint32_t holds_step = 0;  ///< the events of the run that showed it
  std::uint32_t takes_step = 0;
  std::uint32_t links = 0;    ///< that came before
  std::uint64_t lineage = 0;  ///< whom the thread, and whoever created it, had created and joined
  bool holds_share = false;   ///< as one of several readers
  bool takes_share = false;
  std::uint32_t shares = 0;  ///< of the guards: a bit for each
  std::uint32_t guard_count = 0;
  const void* guards[max_guards] = {};  ///< what else it held

  [[nodiscard]] bool same_as(const LockEdge& other) const {
    return thread == other.thread && holds == other.holds && takes == other.takes && takes_site == other.takes_site &&
           lineage == other.lineage && holds_share == other.holds_share && takes_share == other.takes_share;
  }
};

/// What a thread knows of the others because it, or whoever created it, was created by them or has joined them: of each
/// how many threads it had created by then. This is the same in every run in which they create and join the same.
using Kinship = std::vector<std::uint32_t>;
inline constexpr std::uint32_t has_ended = UINT32_MAX;
/// That of `thread` after these links.
Kinship kinship(std::span<const Link> links, ThreadId thread);

/// An edge, and what is known of the run that showed it first.
struct KnownEdge : LockEdge {
  Kinship kinship;
  std::vector<Choice> schedule;  ///< of that run, until the lock was taken; empty if it cannot be run again

  /// Whether the thread of this one came to the end of it before that of the other could begin with it.
  [[nodiscard]] bool is_before(const KnownEdge& other) const { return known_of(other.kinship) > known_of(kinship); }

  template <typename Archive>
  void archive(Archive& parts) {
    auto& edge = static_cast<LockEdge&>(*this);
    parts(edge, kinship, schedule);
  }

 private:
  [[nodiscard]] std::uint32_t known_of(const Kinship& knowledge) const {
    return thread < knowledge.size() ? knowledge[thread] : 0;
  }
};

/// Adds an edge, unless it is there. One that cannot be run again is replaced.
void add(std::vector<KnownEdge>& edges, KnownEdge edge);

/// Every thread of it holds what the one before it wants.
using LockCycle = std::vector<KnownEdge>;

/// All cycles of different threads that nothing keeps apart: no common lock, and not that one of them had to end, or
/// had to create the other, before. Readers do not wait for each other. Each once, the shortest first, at most `limit`.
std::vector<LockCycle> lock_cycles(std::span<const KnownEdge> edges, std::size_t limit);

}  // namespace norn::analysis
