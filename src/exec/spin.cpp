#include "exec/spin.hpp"

#include "exec/context.hpp"
#include "exec/scheduler.hpp"
#include "support/hash.hpp"

namespace norn::exec {
namespace {

/// The program's part of the stack, the frame pointer that the interposed function saved below it, and the registers
/// that Norn leaves alone.
std::uint64_t hash_state(void* registers, void* stack_top) {
  constexpr std::size_t saved_frame_pointer = 16;
  constexpr std::size_t registers_size = 5 * 8;
  char* frame = static_cast<char*>(program_frame) - saved_frame_pointer;
  const auto size = static_cast<std::size_t>(static_cast<char*>(stack_top) - frame);
  return combine(hash_bytes(registers, registers_size), hash_bytes(frame, size));
}

}  // namespace

/// The stack is looked at first: it is small, and a loop that counts differs there.
bool SpinDetector::compare(Thread& thread, const std::uint32_t& step, std::span<const Thread> threads) const {
  SpinMark& mark = thread.spin;
  const std::uint64_t stack = norn_with_registers(hash_state, thread.seat.stack_top);
  if (stack != mark.stack) {
    mark.stack = stack;
    mark.memory = 0;
    mark.round = step;
    return false;
  }
  const std::uint64_t now = memory(thread, threads);
  const bool same = now == mark.memory;
  if (!same) mark.round = step;
  mark.memory = now;
  return same;
}

std::uint64_t SpinDetector::memory(const Thread& thread, std::span<const Thread> threads) const {
  std::uint64_t hash = snapshot_.hash_hot_pages();
  hash = combine(hash, snapshot_.hash_thread_locals(thread));
  hash = combine(hash, thread.random);
  hash = combine(hash, thread.clock_reads);
  for (const Thread& other : threads) {
    if (other.status == Status::unused) continue;
    hash = combine(hash, hash_bytes(other.arena.begin(), other.arena.used()));
  }
  return hash | 1;  // 0 means "not looked at"
}

}  // namespace norn::exec
