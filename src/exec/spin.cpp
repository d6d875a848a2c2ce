#include "exec/spin.hpp"

#include "exec/context.hpp"
#include "support/hash.hpp"

namespace norn::exec {
namespace {

/// Registers that Norn's own code leaves alone, so that they are the program's.
std::uint64_t hash_registers() {
  return norn_with_registers([](const void* registers) { return hash_bytes(registers, 5 * sizeof(std::uint64_t)); });
}

/// The program's part of a thread's stack, and the frame pointer that the interposed function saved below it.
std::uint64_t hash_stack(const Thread& thread) {
  constexpr std::size_t saved_frame_pointer = 16;
  const char* from = static_cast<const char*>(thread.program_frame) - saved_frame_pointer;
  return hash_bytes(from, static_cast<std::size_t>(static_cast<char*>(thread.seat.stack_top) - from));
}

/// Whether `known` is already `now`; it is afterwards.
bool same(std::uint64_t& known, std::uint64_t now) {
  now |= 1;  // 0 means "not looked at"
  const bool is_same = known == now;
  known = now;
  return is_same;
}

}  // namespace

/// What is cheapest comes first: a loop that counts differs in its registers or on its stack.
bool SpinDetector::compare(Thread& thread, std::uint32_t step, std::span<const Thread> threads) const {
  SpinMark& mark = thread.spin;
  if (!same(mark.registers, hash_registers())) {
    mark.stack = mark.memory = 0;
  } else if (!same(mark.stack, hash_stack(thread))) {
    mark.memory = 0;
  } else if (same(mark.memory, memory(thread, threads))) {
    return true;
  }
  mark.round = step;
  return false;
}

std::uint64_t SpinDetector::memory(const Thread& thread, std::span<const Thread> threads) const {
  std::uint64_t hash = snapshot_.hash_hot_pages();
  hash = combine(hash, snapshot_.hash_thread_locals(thread));
  hash = combine(hash, thread.random);
  hash = combine(hash, thread.clock_reads);
  for (const Thread& other : threads) {
    if (other.status == Status::unused) continue;
    hash = combine(hash, hash_bytes(other.arena.begin(), other.arena.used()));
    if (&other != &thread && other.status == Status::pending) hash = combine(hash, hash_stack(other));
  }
  return hash;
}

}  // namespace norn::exec
