#include "exec/leftovers.hpp"

#include <cstring>
#include <vector>

#include "exec/context.hpp"
#include "exec/shared_writes.hpp"
#include "exec/watch.hpp"
#include "support/address.hpp"
#include "support/hash.hpp"

namespace norn::exec {
namespace {

/// What is done only once must leave nothing on the stack of the thread (exec/traces.hpp), nor be taken for something
/// that the thread does.
template <typename Function>
void aside(Function function) {
  alignas(16) static std::byte stack[std::size_t{1} << 17];
  const Unwatched unwatched;
  const auto writes = shared_writes.look();
  norn_on_stack(
      std::end(stack), [](void* argument) { (*static_cast<Function*>(argument))(); }, &function);
  shared_writes.set(writes);
}

}  // namespace

Leftovers::Frame Leftovers::first(StackPart stack) {
  Frame frame;
  std::memcpy(&frame.base, stack.data(), sizeof frame.base);
  std::memcpy(&frame.returns_to, stack.data() + sizeof frame.base, sizeof frame.returns_to);
  return frame;
}

/// Frame pointers are saved at the beginning of frames, below the address to return to.
Leftovers::Frame Leftovers::caller_of(const Frame& frame) {
  return first({reinterpret_cast<const std::byte*>(frame.base), 2 * sizeof frame.base});
}

bool Leftovers::is_whole(const Frame& frame, StackPart stack) {
  const std::uintptr_t begin = number(stack.data());
  return frame.base - begin < stack.size() && stack.size() - (frame.base - begin) >= 2 * sizeof frame.base;
}

bool Leftovers::is_left_over(Saved one, StackPart stack) {
  Frame frame = first(stack);
  bool may_throw = false;
  while (true) {
    const Fate fate = fate_of(one, frame.returns_to, may_throw);
    if (fate != Fate::kept) return fate == Fate::lost;
    if (!is_whole(frame, stack) || !function_with(frame.returns_to).has_frame_pointer()) return false;
    const Frame caller = caller_of(frame);
    if (is_whole(caller, stack) && caller.base <= frame.base) return false;
    frame = caller;
    may_throw = true;
  }
}

bool Leftovers::is_left_over(const std::byte* place, StackPart stack) {
  for (Frame frame = first(stack); is_whole(frame, stack);) {
    if (!function_with(frame.returns_to).has_frame_pointer()) return false;
    const auto offset = static_cast<std::int64_t>(number(place) - frame.base);
    if (offset < 0) return fate_of(offset, frame.returns_to) != Fate::used;
    const Frame caller = caller_of(frame);
    if (caller.base <= frame.base) return false;
    frame = caller;
  }
  return false;
}

const FunctionCode& Leftovers::function_with(std::uintptr_t address) {
  const auto found = functions_.find(address);
  if (found != functions_.end()) return found->second;
  const FunctionCode* function = nullptr;
  // The call comes before the address to return to, which may be that of another function.
  aside([&] { function = &functions_.emplace(address, FunctionCode(address - 1)).first->second; });
  return *function;
}

Leftovers::Fate Leftovers::fate_of(Saved one, std::uintptr_t returns_to, bool may_throw) {
  const FunctionCode& function = function_with(returns_to);
  if (may_throw && function.has_landing_pads()) return Fate::used;
  const std::uint64_t key = combine(returns_to, static_cast<std::uint64_t>(one));
  const auto [entry, is_new] = known_.try_emplace(key, Fate::used);
  const auto is_it = [one](std::uint8_t set) { return (set >> static_cast<unsigned>(one) & 1U) != 0; };
  if (is_new)
    aside([&, &fate = entry->second] {
      fate = follow(
          function, returns_to, [&](const Instruction& at) { return is_it(at.reads); },
          [&](const Instruction& at) { return is_it(at.writes); });
    });
  return entry->second;
}

/// Frames of functions with landing pads may be looked at whenever somebody throws.
Leftovers::Fate Leftovers::fate_of(std::int64_t offset, std::uintptr_t returns_to) {
  const FunctionCode& function = function_with(returns_to);
  if (!function.has_private_frame() || function.has_landing_pads()) return Fate::used;
  if (function.is_gap(offset)) return Fate::lost;
  if (!function.names(offset)) return Fate::used;
  const auto [entry, is_new] = known_.try_emplace(combine(returns_to, static_cast<std::uint64_t>(offset)), Fate::used);
  if (is_new)
    aside([&, &fate = entry->second] {
      fate = follow(
          function, returns_to, [&](const Instruction& at) { return at.read.contains(offset); },
          [&](const Instruction& at) { return at.written.contains(offset); });
    });
  return entry->second;
}

/// Along all ways that the function can go on.
template <typename Reads, typename Writes>
Leftovers::Fate Leftovers::follow(const FunctionCode& function, std::uintptr_t from, Reads reads, Writes writes) {
  using Flow = Instruction::Flow;
  std::vector<std::uintptr_t> left = {from};
  std::vector<bool> seen(function.end() - function.begin());
  Fate fate = Fate::lost;
  const auto go_to = [&](std::uintptr_t address) {
    if (function.contains(address) && seen[address - function.begin()]) return;
    if (function.contains(address)) seen[address - function.begin()] = true;
    left.push_back(address);
  };
  while (!left.empty()) {
    const std::uintptr_t address = left.back();
    left.pop_back();
    const Instruction& at = function.at(address);
    if (at.flow == Flow::unknown || reads(at)) return Fate::used;
    // Whoever catches may look at it.
    if (at.flow == Flow::call && function.has_landing_pads() && !at.is_hook) return Fate::used;
    if (writes(at) || at.flow == Flow::stop) continue;
    if (at.flow == Flow::leave) fate = Fate::kept;
    if (at.flow == Flow::jump || at.flow == Flow::branch) go_to(at.target);
    // Nothing follows a call that does not return.
    const bool returns = at.flow == Flow::call && address + at.length != function.end();
    if (at.flow == Flow::next || at.flow == Flow::branch || returns) go_to(address + at.length);
  }
  return fate;
}

}  // namespace norn::exec
