#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "trace/event.hpp"
#include "trace/link.hpp"
#include "trace/thread_names.hpp"

namespace norn {

/// How a run ended.
enum class End : std::uint8_t {
  finished,
  pruned,   ///< the program assumes that this does not happen
  repeats,  ///< it came back to a state that it was in: what can follow from there is seen in other runs
  // Bugs.
  assertion,
  deadlock,
  exception,
  crash,
  abort,
  exit_code,
  memory,
  misuse,
  property,
  livelock,
  data_race,  ///< of a run that may have ended well
  // The run was cut: what comes after was not seen.
  step_limit,
  thread_limit,
  memory_limit,
  hang,
  uncontrolled,
  diverged,
  interrupted,  ///< by the user, who does not want to wait for its end
};

inline bool is_bug(End end) { return end >= End::assertion && end <= End::data_race; }
inline bool is_cut(End end) { return end >= End::step_limit; }

/// The kind of a bug as the summary file names it, or the name of the limit that cut the run.
const char* kind(End end);

/// How, where and why a run ended. Plain data of fixed size: it is written by a thread that may just have
/// crashed, possibly in another process.
struct Outcome {
  End end = End::finished;
  ThreadId thread = no_thread;
  const void* site = nullptr;
  const void* object = nullptr;  ///< what was misused
  char message[1000] = {};

  void set_message(std::string_view text) {
    const std::size_t length = text.size() < sizeof message - 1 ? text.size() : sizeof message - 1;
    std::memcpy(message, text.data(), length);
    message[length] = 0;
  }
};

/// What makes the order of operations on different objects matter, as a set of bits: strategies that take such
/// operations to be independent would miss something.
enum class Entangled : std::uint8_t {
  nothing = 0,
  by_property = 1,  ///< norn::always looks at everything after every event
  by_robust = 2,    ///< the end of a thread gives back a lock that others try
  by_spurious = 4,  ///< threads wake up without a signal, so many times in all
  by_overlap = 8,   ///< atomic operations on objects that have some bytes in common
  by_last = 16,     ///< whoever ends last does what is left to do at the end of the process
};
constexpr Entangled operator|(Entangled one, Entangled other) {
  return static_cast<Entangled>(static_cast<std::uint8_t>(one) | static_cast<std::uint8_t>(other));
}
constexpr bool has(Entangled set, Entangled one) {
  return (static_cast<std::uint8_t>(set) & static_cast<std::uint8_t>(one)) != 0;
}

/// Where giving back a lock is an event.
struct VisibleReleases {
  bool of_locks = false;
  bool of_shares = false;  ///< of locks that readers share; then readers have an order

  template <typename Archive>
  void archive(Archive& parts) {
    parts(of_locks, of_shares);
  }
};

/// What one run left behind. The storage belongs to the engine and is overwritten by the next run.
struct Trace {
  std::span<const Event> events;
  std::uint32_t prefix = 0;         ///< how many of the events were forced
  std::span<const Choice> choices;  ///< the choices there were, one after the other, at every event after the prefix
  std::uint32_t threads = 0;        ///< threads that existed, the main thread included
  const Outcome* outcome = nullptr;
  bool raced = false;                    ///< there were data races
  std::span<const Link> links;           ///< in the order in which they came about
  std::span<const Pending> pending;      ///< the operations that threads were about to do at the end
  std::span<const Identity> identities;  ///< who the threads are
  std::span<const Home> homes;           ///< and what is their own, by address
  std::span<const Location> locations;   ///< where the events come from; only if the strategy asks for lines
  bool unlocated = false;                ///< not all of these are known yet
  bool shares_more = false;              ///< it showed that more accesses to memory are events than were
  bool polled_several = false;           ///< an event looked at several ports, where sending is an event too
  bool in_part = false;                  ///< it ended while a thread had only some of what it takes together
  bool spun = false;                     ///< a thread waited in a loop in which it changes something
  Entangled entangled = Entangled::nothing;
  VisibleReleases releases;
  bool knows_loops = false;     ///< that wait: what is in vain there is marked
  bool has_constructs = false;  ///< the program says that it uses those of include/norn

  [[nodiscard]] End end() const { return outcome->end; }
};

}  // namespace norn
