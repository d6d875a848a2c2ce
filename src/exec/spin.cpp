#include "exec/spin.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exec/context.hpp"
#include "exec/state_hash.hpp"
#include "exec/traces.hpp"

namespace norn::exec {
namespace {

/// Registers that Norn's own code leaves alone, so that they are the program's.
std::uint64_t hash_registers(std::uint64_t clock) {
  static std::uint64_t now;
  now = clock;
  return norn_with_registers(
      [](const void* registers) { return hash_state(registers, 5 * sizeof(std::uint64_t), now); });
}

std::array<std::uint64_t, saved_registers> registers_now() {
  static std::array<std::uint64_t, saved_registers> now;
  norn_with_registers([](const void* registers) {
    std::memcpy(now.data(), registers, sizeof now);
    return std::uint64_t{0};
  });
  return now;
}

StackPart stack_of(const Thread& thread) {
  constexpr std::size_t saved_by_call = 16;
  return {static_cast<const std::byte*>(thread.program_frame) - saved_by_call,
          static_cast<const std::byte*>(thread.seat.stack_top)};
}

std::uint64_t hash_stack(const Thread& thread, std::uint64_t clock) {
  return hash_state(stack_of(thread).data(), stack_of(thread).size(), clock);
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

/// A bit of every hash: 0 means "not looked at".
constexpr std::uint64_t known = 1;
/// Events have a bit less for it.
constexpr unsigned unused_bits = 1;

/// What a thread goes on with after an operation on an atomic object, but for what it sees there. Of other operations
/// it is not known what they depend on.
std::uint64_t whereabouts_of(const Thread& thread, const Passed& passed, StackPart stack) {
  const Operation& operation = thread.pending;
  const bool updates = operation.op == Op::atomic_update;
  if (!updates && operation.op != Op::atomic_load && operation.op != Op::atomic_compare_exchange) return 0;
  std::uint64_t hash =
      combine(reinterpret_cast<std::uintptr_t>(operation.site), updates ? thread.operand : operation.argument);
  hash = combine(hash, reinterpret_cast<std::uintptr_t>(operation.object));
  hash = combine(hash, passed.locals);
  hash = combine(hash, hash_state(passed.registers.data(), sizeof passed.registers, no_clock));
  return combine(hash, hash_state(stack.data(), stack.size(), no_clock)) >> unused_bits | known;
}

enum class Likeness : std::uint8_t { same, other, new_ };

/// What was not looked at before is `now` from now on.
Likeness likeness_of(std::uint64_t& then, std::uint64_t now) {
  if (then == 0) {
    then = now;
    return Likeness::new_;
  }
  return then == now ? Likeness::same : Likeness::other;
}

}  // namespace

std::uint32_t WaitDetector::look_back(Thread& thread, std::uint32_t step) {
  if (std::exchange(thread.passed_deeds, thread.deeds()) != thread.deeds()) thread.passed_count = 0;
  const Place place = thread.pending.place();
  if (!loops_.contains(place)) return no_round;
  const Passed now{
      place, registers_now(), combine(snapshot_.hash_thread_locals(thread, no_clock), thread.random), {}, step, 0};
  const StackPart stack = stack_of(thread);
  // What tells one round from the others, a counter, tells it from most of them.
  Difference found;
  for (std::uint32_t i = 0; i < thread.passed_count; ++i) {
    Passed& then = thread.passed[i];
    if (then.place != place || then.locals != now.locals || then.stack.size() != stack.size()) continue;
    if (differs(found, now, then, stack)) continue;
    const Difference other = difference(thread.id, now, then, stack);
    if (other.in != Difference::In::nothing) {
      found = other;
      continue;
    }
    thread.passed_count = i + 1;
    thread.whereabouts = then.whereabouts;
    const std::uint32_t round = then.step;
    pass(then, now, stack);
    return round;
  }
  thread.whereabouts = whereabouts_of(thread, now, stack);
  if (thread.passed_count == most_passed) {
    thread.passed_count = longest_round;
    std::rotate(thread.passed.begin(), thread.passed.begin() + longest_round, thread.passed.begin() + most_passed);
  }
  if (thread.passed_count == thread.passed.size()) thread.passed.emplace_back();
  thread.passed[thread.passed_count].whereabouts = thread.whereabouts;
  pass(thread.passed[thread.passed_count++], now, stack);
  return no_round;
}

/// Its memory is used again and again.
void WaitDetector::pass(Passed& passed, const Passed& now, StackPart stack) {
  passed.place = now.place;
  passed.registers = now.registers;
  passed.locals = now.locals;
  passed.step = now.step;
  passed.stack.assign(stack.begin(), stack.end());
}

bool WaitDetector::differs(const Difference& at, const Passed& now, const Passed& then, StackPart stack) {
  if (at.in == Difference::In::registers) return now.registers[at.index] != then.registers[at.index];
  return at.in == Difference::In::stack && stack[at.index] != then.stack[at.index];
}

WaitDetector::Difference WaitDetector::difference(ThreadId thread, const Passed& now, const Passed& then,
                                                  StackPart stack) {
  for (unsigned i = 0; i < saved_registers; ++i)
    if (now.registers[i] != then.registers[i] && !leftovers_.is_left_over(static_cast<Saved>(i), stack))
      return {Difference::In::registers, i};
  return difference_of_stacks(thread, then, stack);
}

/// What others changed makes no difference for where the thread is; if it looks there, it sees it.
WaitDetector::Difference WaitDetector::difference_of_stacks(ThreadId thread, const Passed& passed, StackPart now) {
  const std::span<const std::byte> then = passed.stack;
  constexpr std::size_t word = sizeof(std::uint64_t);
  std::size_t i = 0;
  const auto word_at = [](const std::byte& first) {
    std::uint64_t bytes;
    std::memcpy(&bytes, &first, sizeof bytes);
    return bytes;
  };
  const auto same_word = [&] { return word_at(now[i]) == word_at(then[i]); };
  for (; i < now.size(); ++i) {
    while (i + word <= now.size() && same_word()) i += word;
    if (i == now.size() || now[i] == then[i]) continue;
    if (!watch_.is_shared(thread, &now[i]) && !leftovers_.is_left_over(&now[i], now)) return {Difference::In::stack, i};
  }
  return {};
}

/// Of the thread that is running. Once loops are known, everybody's stack is looked at all the time.
void SpinDetector::look_at_stack(Thread& thread, bool looks) const {
  if (loops_.empty()) traces_limit = thread.traces_limit = looks ? traces_limit_of(thread) : 0;
}

void SpinDetector::set_mark(Thread& thread, std::uint32_t step, std::uint64_t changes, bool undisturbed) const {
  SpinMark& mark = thread.spin;
  look_at_stack(thread, false);
  const std::uint32_t limit = undisturbed ? std::min(mark.limit * 2, longest_round) : first_limit;
  // One by one: clearing it all first would cost more than everything else here.
  mark.site = thread.pending.site;
  mark.object = thread.pending.object;
  mark.op = thread.pending.op;
  mark.changes = changes;
  mark.age = 0;
  mark.limit = std::max(limit, first_limit);
  mark.held = static_cast<std::uint32_t>(thread.held.size());
  mark.reads_clock = false;
  mark.clock_reads = thread.clock_reads;
  mark.round = step;
  mark.deeds = thread.deeds();
  mark.registers = mark.stack = mark.memory = 0;
  mark.misses = mark.patience = 0;
}

/// How long something took is no time of the clock, but a number like any other, and may be left over from the last
/// round.
std::uint64_t SpinDetector::used_registers(const Thread& thread) const {
  auto registers = registers_now();
  for (unsigned i = 0; i < saved_registers; ++i)
    if (leftovers_.is_left_over(static_cast<Saved>(i), stack_of(thread))) registers[i] = 0;
  return hash_state(registers.data(), sizeof registers, thread.clock);
}

std::uint64_t SpinDetector::used_stack(const Thread& thread) const {
  constexpr std::size_t half_word = 4;
  const StackPart stack = stack_of(thread);
  used_.assign(stack.begin(), stack.end());
  for (std::size_t i = 0; i + half_word <= used_.size(); i += half_word)
    if (leftovers_.is_left_over(&stack[i], stack)) std::fill_n(&used_[i], half_word, std::byte{0});
  return hash_state(used_.data(), used_.size(), thread.clock);
}

/// What is cheapest comes first: a loop that counts differs in its registers or on its stack.
bool SpinDetector::compare(Thread& thread, std::uint32_t step, std::span<const Thread> threads) const {
  SpinMark& mark = thread.spin;
  mark.reads_clock = mark.clock_reads != thread.clock_reads;
  mark.clock_reads = thread.clock_reads;
  // Who does not look at the clock has no times, only numbers that look like them.
  const std::uint64_t now = mark.reads_clock ? thread.clock : no_clock;
  const std::uint64_t registers = (mark.reads_clock ? used_registers(thread) : hash_registers(no_clock)) | known;
  const bool is_first = mark.registers == 0;
  look_at_stack(thread, is_first || mark.registers == registers);
  std::uint64_t stack = 0;
  std::uint64_t all = 0;
  Likeness likeness = likeness_of(mark.registers, registers);
  if (likeness == Likeness::same)
    likeness =
        likeness_of(mark.stack, stack = (mark.reads_clock ? used_stack(thread) : hash_stack(thread, now)) | known);
  if (likeness == Likeness::same) likeness = likeness_of(mark.memory, all = memory(thread, threads, now) | known);
  if (likeness == Likeness::same) return true;
  // A round may look at the same object several times: the mark stays where it is for more and more of them.
  if (likeness == Likeness::other && ++mark.misses <= mark.patience) return false;
  if (likeness == Likeness::other) {
    mark.registers = registers;
    mark.stack = stack;
    mark.memory = all;
    mark.misses = 0;
    mark.patience = std::min(mark.patience * 2 + 1, longest_round);
  }
  mark.round = step;
  mark.deeds = thread.deeds();
  return false;
}

bool RoundDetector::is_back(Thread& thread, std::uint64_t changes, std::span<const Thread> threads) {
  // Once is not yet again.
  constexpr std::uint32_t first_tries = 2;
  const std::uint64_t clock = thread.clock_reads == 0 ? no_clock : thread.clock;
  thread.registers = hash_registers(clock) | 1;
  if (!std::exchange(state_.trying, false)) return false;
  const bool disturbed = std::exchange(thread.tried, changes) != changes;
  if (thread.tries <= first_tries || !disturbed) return false;
  const std::uint64_t now = hash(threads, clock);
  std::vector<std::uint64_t>& states = state_.states;
  if (std::find(states.begin(), states.end(), now) != states.end()) return true;
  states.push_back(now);
  return false;
}

std::uint64_t RoundDetector::hash(std::span<const Thread> threads, std::uint64_t clock) const {
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
