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
  /// With `identities`, threads count by their descent, so that fingerprints of different explorations can be compared.
  std::uint64_t fingerprint(std::span<const Event> events, std::span<const Identity> identities = {});

 private:
  struct ObjectHistory {
    const void* object = nullptr;
    std::uint32_t run = 0;
    std::uint64_t last_write = 0;
    std::uint64_t reads_since = 0;
  };

  ObjectHistory& history(const void* object);
  void grow();
  std::uint64_t name(ThreadId thread, std::span<const Identity> identities);

  std::vector<ObjectHistory> table_ = std::vector<ObjectHistory>(64);
  std::size_t used_ = 0;
  std::uint32_t run_ = 0;
  std::vector<std::uint64_t> last_in_thread_;
  std::vector<std::uint64_t> names_;  ///< by thread; 0: not known yet
};

}  // namespace norn
