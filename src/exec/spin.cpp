#include "exec/spin.hpp"

#include <algorithm>
#include <utility>

#include "exec/context.hpp"
#include "exec/state_hash.hpp"

namespace norn::exec {
namespace {

/// Registers that Norn's own code leaves alone, so that they are the program's.
std::uint64_t hash_registers(std::uint64_t clock) {
  static std::uint64_t now;
  now = clock;
  return norn_with_registers(
      [](const void* registers) { return hash_state(registers, 5 * sizeof(std::uint64_t), now); });
}

/// The program's part of a thread's stack, and the frame pointer that the interposed function saved below it.
std::uint64_t hash_stack(const Thread& thread, std::uint64_t clock) {
  constexpr std::size_t saved_frame_pointer = 16;
  const char* from = static_cast<const char*>(thread.program_frame) - saved_frame_pointer;
  return hash_state(from, static_cast<std::size_t>(static_cast<char*>(thread.seat.stack_top) - from), clock);
}

/// Where a thread is and what it is about to do.
std::uint64_t hash_pending(const Thread& thread, std::uint64_t clock) {
  const Operation& operation = thread.pending;
  std::uint64_t hash = combine(static_cast<std::uint64_t>(operation.op), operation.argument);
  for (const void* pointer :
       {operation.site, static_cast<const void*>(operation.object), static_cast<const void*>(operation.mutex)})
    hash = combine(hash, reinterpret_cast<std::uintptr_t>(pointer));
  return combine(combine(hash, thread.registers), hash_stack(thread, clock));
}

/// Whether `known` is already `now`; it is afterwards.
bool same(std::uint64_t& known, std::uint64_t now) {
  now |= 1;  // 0 means "not looked at"
  const bool is_same = known == now;
  known = now;
  return is_same;
}

}  // namespace

void SpinDetector::set_mark(Thread& thread, std::uint32_t step, std::uint64_t changes, bool undisturbed) {
  SpinMark& mark = thread.spin;
  const std::uint32_t limit = undisturbed ? std::min(mark.limit * 2, longest_round) : first_limit;
  mark = {};
  mark.site = thread.pending.site;
  mark.object = thread.pending.object;
  mark.changes = changes;
  mark.limit = std::max(limit, first_limit);
  mark.round = step;
  mark.held = static_cast<std::uint32_t>(thread.held.size());
  mark.clock_reads = thread.clock_reads;
}

/// What is cheapest comes first: a loop that counts differs in its registers or on its stack.
bool SpinDetector::compare(Thread& thread, std::uint32_t step, std::span<const Thread> threads) const {
  SpinMark& mark = thread.spin;
  mark.reads_clock = mark.clock_reads != thread.clock_reads;
  mark.clock_reads = thread.clock_reads;
  // Who does not look at the clock has no times, only numbers that look like them.
  const std::uint64_t now = mark.reads_clock ? thread.clock : no_clock;
  if (!same(mark.registers, hash_registers(now))) {
    mark.stack = mark.memory = 0;
  } else if (!same(mark.stack, hash_stack(thread, now))) {
    mark.memory = 0;
  } else if (same(mark.memory, memory(thread, threads, now))) {
    return true;
  }
  mark.round = step;
  return false;
}

bool RoundDetector::is_back(Thread& thread, std::span<const Thread> threads) {
  // Once is not yet again.
  constexpr std::uint32_t first_tries = 2;
  const std::uint64_t clock = thread.clock_reads == 0 ? no_clock : thread.clock;
  thread.registers = hash_registers(clock) | 1;
  if (!std::exchange(trying_, false) || thread.tries <= first_tries) return false;
  const std::uint64_t now = state(threads, clock);
  if (std::find(states_.begin(), states_.end(), now) != states_.end()) return true;
  states_.push_back(now);
  return false;
}

std::uint64_t RoundDetector::state(std::span<const Thread> threads, std::uint64_t clock) const {
  std::uint64_t hash = snapshot_.hash_hot_pages(clock);
  for (const Thread& thread : threads) {
    if (thread.status == Status::unused) continue;
    hash = combine(hash, static_cast<std::uint64_t>(thread.status));
    hash = combine(hash, hash_state(thread.arena.begin(), thread.arena.used(), clock));
    if (thread.status == Status::ended) continue;
    hash = combine(hash, hash_pending(thread, clock));
    hash = combine(hash, snapshot_.hash_thread_locals(thread, clock));
    hash = combine(hash, thread.random);
  }
  return hash;
}

std::uint64_t SpinDetector::memory(const Thread& thread, std::span<const Thread> threads, std::uint64_t clock) const {
  std::uint64_t hash = snapshot_.hash_hot_pages(clock);
  hash = combine(hash, snapshot_.hash_thread_locals(thread, clock));
  hash = combine(hash, thread.random);
  for (const Thread& other : threads) {
    if (other.status == Status::unused) continue;
    hash = combine(hash, hash_state(other.arena.begin(), other.arena.used(), clock));
    if (&other != &thread && other.status == Status::pending) hash = combine(hash, hash_stack(other, clock));
  }
  return hash;
}

}  // namespace norn::exec
