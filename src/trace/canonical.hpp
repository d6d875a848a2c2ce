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
///
/// Runs often begin like the one before. What both have in common is compared, not hashed again.
class CanonicalForm {
 public:
  /// With `identities` and `homes`, threads count by their descent, and what is their own by its place there, so that
  /// fingerprints of different explorations can be compared. Both only ever grow.
  std::uint64_t fingerprint(std::span<const Event> events, std::span<const Identity> identities = {},
                            std::span<const Home> homes = {});

 private:
  struct ObjectHistory {
    const void* object = nullptr;
    bool is_used = false;
    std::uint64_t name = 0;
    std::uint64_t last_write = 0;
    std::uint64_t reads_since = 0;
  };

  /// What counts of an event.
  struct Key {
    explicit Key(const Event& event)
        : what(std::uint64_t{event.thread} | std::uint64_t{event.alternative} << 16 |
               static_cast<std::uint64_t>(event.op) << 32 | static_cast<std::uint64_t>(event.effect) << 40 |
               std::uint64_t{event.in_vain} << 48),
          object(event.object) {}
    friend bool operator==(const Key&, const Key&) = default;

    std::uint64_t what;
    const void* object;
  };

  /// An event of the run at hand, and all that is needed to take it back.
  struct Step {
    Key key;
    ThreadId thread;
    bool counts;
    std::uint32_t history = 0;  ///< the place of its object's
    std::uint64_t thread_before = 0;
    std::uint64_t last_write_before = 0;
    std::uint64_t reads_before = 0;
    std::uint64_t sum = 0;  ///< up to and with this event
  };

  void add(const Event& event);
  std::uint64_t hash(const Event& event, ObjectHistory& object);
  void take_back();
  std::uint32_t history(const void* object);
  void make_room();
  std::uint64_t name(ThreadId thread);
  std::uint64_t name(const void* object);

  std::span<const Identity> identities_;
  std::span<const Home> homes_;

  std::vector<Step> steps_;
  std::vector<ObjectHistory> table_ = std::vector<ObjectHistory>(64);
  std::size_t used_ = 0;
  std::vector<std::uint64_t> last_in_thread_;
  std::vector<std::uint64_t> names_;  ///< by thread; 0: not known yet
};

}  // namespace norn
