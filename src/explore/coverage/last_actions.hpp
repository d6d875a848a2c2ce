#pragma once

#include <cstdint>
#include <vector>

#include "support/hash.hpp"
#include "trace/event.hpp"

namespace norn::coverage {

/// By object: who did something to it last in this run, and where. Nothing is allocated once it is warm, and no cost
/// depends on how many objects there are.
class LastActions {
 public:
  struct Last {
    const void* object = nullptr;
    ThreadId thread = no_thread;
    Location location = 0;
  };

  void begin_run() {
    ++run_;
    used_ = 0;
  }

  /// nullptr if nobody did.
  [[nodiscard]] const Last* find(const void* object) const {
    const Slot& slot = slots_[index_of(slots_, object)];
    return slot.run == run_ ? &slot.last : nullptr;
  }

  void set(const Last& last) {
    Slot* slot = &slots_[index_of(slots_, last.object)];
    if (slot->run != run_) {
      if (2 * ++used_ > slots_.size()) {
        grow();
        slot = &slots_[index_of(slots_, last.object)];
      }
      slot->run = run_;
    }
    slot->last = last;
  }

 private:
  struct Slot {
    std::uint64_t run = 0;
    Last last;
  };
  using Slots = std::vector<Slot>;

  /// Where it is, or where it would be: half of the slots are free.
  [[nodiscard]] std::size_t index_of(const Slots& slots, const void* object) const {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = combine(reinterpret_cast<std::uintptr_t>(object), 0) & mask;
    while (slots[i].run == run_ && slots[i].last.object != object) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    Slots larger(2 * slots_.size());
    for (const Slot& slot : slots_)
      if (slot.run == run_) larger[index_of(larger, slot.last.object)] = slot;
    slots_ = std::move(larger);
  }

  std::uint64_t run_ = 1;
  std::size_t used_ = 0;
  Slots slots_ = Slots(64);
};

}  // namespace norn::coverage
