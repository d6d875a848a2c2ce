#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "support/hash.hpp"

namespace norn::exec {

/// A visible operation in the code, on one object.
struct Place {
  const void* site;
  const void* object;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Places in loops that wait: a thread was seen to go round there without changing anything. What a run finds counts
/// from the next run on, so that all of a run follows the same rules. Plain data, in memory shared with forked runs.
class Loops {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool contains(const Place& place) const { return slots_[slot_of(place)].site != nullptr; }
  /// What was found by the run at hand.
  void find(const Place& place) {
    const std::span found(found_, found_count_);
    if (found_count_ == most_found || contains(place)) return;
    if (std::find(found.begin(), found.end(), place) == found.end()) found_[found_count_++] = place;
  }
  /// What was found counts from now on; false if that is nothing.
  bool accept() {
    const bool any = found_count_ != 0;
    for (std::uint32_t i = 0; i < found_count_; ++i) add(found_[i]);
    found_count_ = 0;
    return any;
  }
  void add(const Place& place) {
    if (count_ == most || contains(place)) return;
    slots_[slot_of(place)] = place;
    ++count_;
  }
  template <typename Function>
  void for_each(Function function) const {
    for (const Place& place : slots_)
      if (place.site != nullptr) function(place);
  }

 private:
  static constexpr std::uint32_t slots = 2048;
  static constexpr std::uint32_t most = slots / 2;
  static constexpr std::uint32_t most_found = 256;

  /// Where it is, or where it would be.
  [[nodiscard]] std::uint32_t slot_of(const Place& place) const {
    const auto number = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    std::uint64_t i = combine(number(place.site), number(place.object));
    while (slots_[i % slots].site != nullptr && slots_[i % slots] != place) ++i;
    return i % slots;
  }

  Place slots_[slots];
  std::uint32_t count_;
  Place found_[most_found];
  std::uint32_t found_count_;
};

}  // namespace norn::exec
