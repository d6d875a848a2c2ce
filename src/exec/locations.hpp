#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "support/hash.hpp"
#include "trace/event.hpp"

namespace norn::exec {

/// The lines of the source that return addresses belong to. They are not known in this process: call stacks with
/// addresses that a run comes across for the first time are kept until it ends, and then somebody with debug
/// information names them. Plain data, in memory shared with forked runs.
class Locations {
 public:
  static constexpr Location unknown = 0;
  static constexpr Location library = library_location;  ///< not the user's own code: its caller may be
  static constexpr Location first = 2;

  /// Return addresses, the innermost first. Its line is that of the first one in the user's own code.
  struct Stack {
    static constexpr std::uint32_t most = 64;
    std::uintptr_t frames[most];
    std::uint32_t depth = 0;

    void push(std::uintptr_t frame) {
      if (depth < most) frames[depth++] = frame;
    }
    [[nodiscard]] std::span<const std::uintptr_t> all() const { return {frames, depth}; }
  };

  [[nodiscard]] Location of(std::uintptr_t address) const { return slots_[slot_of(address)].location; }
  void set(std::uintptr_t address, Location location) {
    Slot& slot = slots_[slot_of(address)];
    if (slot.address == 0 && count_ == most) return;  // what is not known is not covered
    count_ += slot.address == 0;
    slot = {address, location};
  }
  /// How many addresses are known.
  [[nodiscard]] std::uint32_t size() const { return count_; }

  /// The line of the first of these addresses that is not a library's: `unknown` if it has no name yet, `library` if
  /// there is none.
  [[nodiscard]] Location line_of(std::span<const std::uintptr_t> frames) const {
    const auto frame = first_of_user(frames);
    return frame == frames.end() ? library : of(*frame);
  }

  /// What stands for the line of this call stack until the run has ended; `unknown` if there is no room for it.
  Location postpone(const Stack& stack) {
    const auto is_same = [&stack](const Stack& other) { return std::ranges::equal(stack.all(), other.all()); };
    const std::uint32_t place =
        static_cast<std::uint32_t>(std::find_if(postponed_, postponed_ + postponed_count_, is_same) - postponed_);
    if (place == most_postponed) {
      without_room_ = true;
      return unknown;
    }
    if (place == postponed_count_) postponed_[postponed_count_++] = stack;
    return first_postponed + place;
  }
  [[nodiscard]] bool has_postponed() const { return postponed_count_ != 0; }
  /// Calls `ask(address)` for each address that has to be named before the line of a postponed stack is known.
  template <typename Ask>
  void for_each_unnamed(const Ask& ask) const {
    for (const Stack& stack : std::span(postponed_, postponed_count_)) {
      const auto frames = stack.all();
      const auto frame = first_of_user(frames);
      if (frame != frames.end() && of(*frame) == unknown) ask(*frame);
    }
  }
  /// What `location` stands for.
  [[nodiscard]] Location resolve(Location location) const {
    return location < first_postponed ? location : line_of(postponed_[location - first_postponed].all());
  }
  /// Whether there was a call stack that could not be postponed.
  [[nodiscard]] bool without_room() const { return without_room_; }
  void forget_postponed() {
    postponed_count_ = 0;
    without_room_ = false;
  }

 private:
  static constexpr std::uint32_t slots = 1U << 15;
  static constexpr std::uint32_t most = slots / 2;
  static constexpr Location first_postponed = first_postponed_location;  // nobody has so many lines
  static constexpr std::uint32_t most_postponed = UINT32_MAX - first_postponed;

  struct Slot {
    std::uintptr_t address;
    Location location;
  };

  /// Where it is, or where it would be.
  [[nodiscard]] std::uint32_t slot_of(std::uintptr_t address) const {
    std::uint64_t i = combine(address, 0);
    while (slots_[i % slots].address != 0 && slots_[i % slots].address != address) ++i;
    return static_cast<std::uint32_t>(i % slots);
  }

  [[nodiscard]] std::span<const std::uintptr_t>::iterator first_of_user(std::span<const std::uintptr_t> frames) const {
    return std::find_if(frames.begin(), frames.end(), [this](std::uintptr_t frame) { return of(frame) != library; });
  }

  Slot slots_[slots];
  std::uint32_t count_;
  Stack postponed_[most_postponed];
  std::uint32_t postponed_count_;
  bool without_room_;
};

}  // namespace norn::exec
