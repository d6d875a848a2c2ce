#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "exec/call_stack.hpp"
#include "trace/thread_names.hpp"
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

inline constexpr unsigned max_blocked = 64;
inline constexpr unsigned max_notes = 16;
inline constexpr unsigned note_size = 160;

/// What a run writes down. It lies in memory shared with forked children, so it holds no pointers into Norn's
/// own heap; everything in it has a fixed size.
struct RunRecord {
  std::uint32_t steps;
  std::uint32_t prefix;
  std::uint32_t choice_count;
  std::uint32_t threads;
  Outcome outcome;
  std::uint32_t blocked_count;
  Blocked blocked[max_blocked];
  CallStack failure_stack;

  // The following outlive a run.
  volatile std::uint64_t heartbeat;  ///< changes whenever the program makes progress
  bool saw_try_operation;            ///< somebody may look at a lock without waiting for it: releases matter
  std::uint32_t note_count;
  char notes[max_notes][note_size];  ///< what the program did that Norn does not control
  std::uint32_t identity_count;

  /// Adds a note unless it is there already.
  void note(std::string_view text);
};

/// Everything that runs write and whoever started them reads, in shared memory.
struct RunMemory {
  RunRecord* record = nullptr;
  std::span<Event> events;
  std::span<Choice> choices;
  std::span<Identity> identities;
  std::span<CallStack> stacks;  ///< of the events of a detailed run

  static RunMemory map(std::size_t steps, std::size_t threads);
  void unmap() const;
};

}  // namespace norn::exec
