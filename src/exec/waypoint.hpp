#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "exec/memory_image.hpp"
#include "exec/services.hpp"
#include "exec/spin.hpp"
#include "exec/standpoint.hpp"
#include "exec/thread_name.hpp"
#include "exec/watch.hpp"
#include "explore/strategy.hpp"

namespace norn::exec {

/// The state of a run in the middle of it, before a choice: another run that begins in the same way can go on from here
/// instead of doing all that again. What the run has written down so far (events, links) is not in it: that of the last
/// run is still there.
struct Waypoint {
  struct ThreadPart {
    ThreadState state;
    ThreadName name;
    Arena::Mark arena;
    std::vector<HeldLock> held;
    std::vector<std::pair<std::uintptr_t, std::size_t>> stack_accesses;
    std::vector<void*> keys;
  };
  /// Of RunRecord.
  struct Counts {
    std::uint32_t steps = 0;
    std::uint32_t links = 0;
    std::uint32_t threads = 0;
    std::uint32_t lock_uses = 0;
    bool polled_several = false;
    bool spun = false;
    bool raced = false;
    Entangled entangled = Entangled::nothing;
  };

  Counts counts;
  Standpoint standpoint;
  std::vector<ThreadPart> threads;  ///< by slot, as many as are in use
  std::uint64_t shared_writes = 0;
  ServicesState services;
  RoundDetector::State rounds;
  Watch::State watch;
  MemoryImage memory;
  std::size_t hot_pages = 0;  ///< those that the memory contains; others were as at the beginning
  std::size_t output = 0;     ///< bytes that the program had written, if they are kept
};

/// The waypoints of the last run, by depth. They are worth what they cost where most of the following runs pass them,
/// and how far before the end of a run that is depends on the program and the strategy: it is learned.
class Waypoints {
 public:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

  /// The last one that a run with this prefix passes, nullptr if there is none; the others are dropped. `events` are
  /// those of the run that left them.
  const Waypoint* find(std::span<const Choice> prefix, std::span<const Event> events);
  /// The step before which the run at hand is to leave its next waypoint.
  [[nodiscard]] std::uint32_t next_step() const;
  /// To be filled by a run that has come to that step.
  Waypoint& add();
  /// Other runs follow other rules, or have overwritten what the last one wrote down.
  void clear() { count_ = 0; }

 private:
  static constexpr std::uint32_t most = 12;

  [[nodiscard]] std::uint32_t gap() const;
  void learn(std::uint32_t different);

  std::vector<std::unique_ptr<Waypoint>> waypoints_;  ///< of which `count_` are in use
  std::uint32_t count_ = 0;
  std::uint32_t length_ = 0;       ///< of the last run
  double reach_ = 4;               ///< most runs differ from the one before in no more than so many events at its end
  std::uint32_t whole_reach_ = 4;  ///< the same to look at in a run, where nothing may be rounded: threads can see that
};

}  // namespace norn::exec
