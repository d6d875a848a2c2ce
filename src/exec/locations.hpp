#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "support/hash.hpp"
#include "trace/event.hpp"

namespace norn::exec {

/// The lines of the source that return addresses belong to. They are not known in this process: addresses that a run
/// comes across for the first time are collected, and somebody with debug information names them before the next run.
/// Plain data, in memory shared with forked runs.
class Locations {
 public:
  static constexpr Location unknown = 0;
  static constexpr Location library = library_location;  ///< not the user's own code: its caller may be
  static constexpr Location first = 2;

  [[nodiscard]] Location of(std::uintptr_t address) const { return slots_[slot_of(address)].location; }
  void set(std::uintptr_t address, Location location) {
    Slot& slot = slots_[slot_of(address)];
    if (slot.address == 0 && count_ == most) return;  // what is not known is not covered
    count_ += slot.address == 0;
    slot = {address, location};
  }

  void ask(std::uintptr_t address) {
    const auto known = asked();
    if (asked_count_ == most_asked || std::find(known.begin(), known.end(), address) != known.end()) return;
    asked_[asked_count_++] = address;
  }
  [[nodiscard]] std::span<const std::uintptr_t> asked() const { return {asked_, asked_count_}; }
  void forget_asked() { asked_count_ = 0; }

 private:
  static constexpr std::uint32_t slots = 1U << 15;
  static constexpr std::uint32_t most = slots / 2;
  static constexpr std::uint32_t most_asked = 256;

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

  Slot slots_[slots];
  std::uint32_t count_;
  std::uintptr_t asked_[most_asked];
  std::uint32_t asked_count_;
};

}  // namespace norn::exec
