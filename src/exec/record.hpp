#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "analysis/history.hpp"
#include "analysis/lock_order.hpp"
#include "exec/call_stack.hpp"
#include "exec/descent.hpp"
#include "exec/held_lock.hpp"
#include "exec/locations.hpp"
#include "exec/lock_uses.hpp"
#include "exec/loops.hpp"
#include "exec/thread_name.hpp"
#include "trace/trace.hpp"

namespace norn::exec {

/// A thread that could not go on when the run ended.
struct Blocked {
  ThreadId thread;
  Op op;
  ThreadId holder;  ///< who has what it waits for, if that is one thread
  const void* object;
  const void* site;
  CallStack stack;
};

/// An access that is part of a bug, with what is known of where it comes from.
struct WatchedAccess {
  analysis::AccessRecord access;
  CallStack stack;
  std::uint32_t lock_count;
  HeldLock locks[max_locks];
};

/// When a heap block was allocated or freed.
struct BlockMoment {
  ThreadId thread = no_thread;
  std::uint32_t step = 0;
  std::uint32_t links = 0;  ///< that came before
  const void* site = nullptr;
  CallStack stack;
};

struct BlockRecord {
  const void* begin = nullptr;
  std::size_t size = 0;
  BlockMoment allocated;
  BlockMoment freed;
};

/// Bytes whose plain accesses are scheduling points.
struct VisibleRange {
  std::uintptr_t begin;
  std::uintptr_t end;
};

inline constexpr unsigned max_blocked = 64;
inline constexpr unsigned max_races = 256;
inline constexpr unsigned max_held = 64;
inline constexpr unsigned max_lock_edges = 512;
inline constexpr unsigned max_notes = 16;
inline constexpr unsigned note_size = 160;

/// What a run writes down. It lies in memory shared with forked children, so it holds no pointers into Norn's
/// own heap; everything in it has a fixed size.
struct RunRecord {
  std::uint32_t steps;
  std::uint32_t prefix;
  std::uint32_t choice_count;
  std::uint32_t link_count;
  std::uint32_t pending_count;
  bool polled_several;  ///< a thread looked at several ports at once, where sending is an event
  bool spun;            ///< a thread waited in a loop in which it changes something
  Entangled entangled;
  std::uint32_t threads;
  LockUses lock_uses;      ///< as long as locks are taken as if at once
  bool process_completed;  ///< with --isolation fork: the process of the run did not end before the run had
  Outcome outcome;
  std::uint32_t blocked_count;
  Blocked blocked[max_blocked];
  CallStack failure_stack;
  std::uint32_t held_count;
  struct {
    ThreadId thread;
    HeldLock lock;
  } held[max_held];  ///< the locks that threads hold at the end

  // Races and memory errors (exec/watch.hpp).
  bool in_part;  ///< it ended while a thread had only some of what it takes together
  bool raced;
  std::uint32_t race_count;
  analysis::Race races[max_races];
  std::uint32_t access_count;
  WatchedAccess accesses[2];
  BlockRecord block;

  // The following outlive a run.
  volatile std::uint64_t heartbeat;  ///< changes whenever the program makes progress
  bool saw_try_operation;            ///< somebody may look at a lock without waiting for it: releases matter
  bool saw_try_shared;               ///< the same for locks that readers share
  bool saw_uneven_barrier;           ///< not all who use a barrier meet there every time: their order matters
  bool barriers_ordered;             ///< that counts from now on
  bool saw_poll;                     ///< some operation can observe that there is no message yet
  bool sends_visible;                ///< sending is an event, because of that
  bool saw_try_in_group;             ///< somebody tries to lock what others take together
  bool locks_one_by_one;             ///< it is seen how several locks are taken, attempt by attempt
  std::uint32_t note_count;
  char notes[max_notes][note_size];  ///< what the program did that Norn does not control
  std::uint32_t visible_count;       ///< these are in order
  std::uint32_t visible_found;       ///< by the last run, behind those that are visible already
  Loops loops;
  Locations locations;
  std::uint32_t lock_edge_count;
  analysis::LockEdge lock_edges[max_lock_edges];    ///< of all runs since that was forgotten
  std::pair<const void*, const void*> wanted_race;  ///< the sites of the race that a detailed run is about

  /// Adds a note unless it is there already.
  void note(std::string_view text);
};

/// Everything that runs write and whoever started them reads, in shared memory.
struct RunMemory {
  RunRecord* record = nullptr;
  std::span<Event> events;
  std::span<Choice> choices;
  Descent descent;
  std::span<CallStack> stacks;    ///< of the events of a detailed run
  std::span<Location> locations;  ///< of the events, if the strategy asks for lines
  std::span<VisibleRange> visible;
  std::span<Link> links;
  std::span<Pending> pending;
  std::span<ThreadName> own_names;   ///< of the threads, by slot
  std::span<CallStack> link_stacks;  ///< of the first links of a detailed run

  static RunMemory map(std::size_t steps, std::size_t threads, const Descent& descent);
  void unmap() const;
};

}  // namespace norn::exec
