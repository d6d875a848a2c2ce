#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/event.hpp"
#include "trace/thread_names.hpp"

namespace norn {

/// Computes a fingerprint of a run that is equal for two runs exactly when they are the same Mazurkiewicz
/// trace: every thread did the same operations, and every object saw the same order of dependent ones.
/// (Equal but for hash collisions: 64 bits.) It shares no code with any strategy, so it can judge them.
///
/// Each event is hashed together with the event before it in its thread and the events it depends on at its
/// object, so its hash stands for its whole causal past; the sum over all events stands for the partial order.
class CanonicalForm {
 public:
  /// With `identities` and `homes`, threads count by their descent, and what is their own by its place there, so that
  /// fingerprints of different explorations can be compared. Both only ever grow.
  std::uint64_t fingerprint(std::span<const Event> events, std::span<const Identity> identities = {},
                            std::span<const Home> homes = {});

 private:
  struct ObjectHistory {
    const void* object = nullptr;
    std::uint32_t run = 0;
    std::uint64_t name = 0;
    std::uint64_t last_write = 0;
    std::uint64_t reads_since = 0;
  };

  std::uint64_t add(const Event& event);
  ObjectHistory& history(const void* object);
  void grow();
  std::uint64_t name(ThreadId thread);
  std::uint64_t name(const void* object);

  std::span<const Identity> identities_;
  std::span<const Home> homes_;

  std::vector<ObjectHistory> table_ = std::vector<ObjectHistory>(64);
  std::size_t used_ = 0;
  std::uint32_t run_ = 0;
  std::vector<std::uint64_t> last_in_thread_;
  std::vector<std::uint64_t> names_;  ///< by thread; 0: not known yet
};

}  // namespace norn
