#pragma once

#include <cstdint>
#include <vector>

#include "explore/reachability/syn_sequence.hpp"

namespace norn::reachability {

/// Whom a receiving event is to be synchronized with.
struct Partner {
  ThreadId thread = no_thread;  ///< no_thread: anybody who was not there before
  std::uint16_t alternative = 0;
  std::uint32_t index = 0;  ///< which of the thread's events: calls only

  [[nodiscard]] bool is_open() const { return thread == no_thread; }
};

/// A race variant (definition 7): what is left of a sequence after the partners of some receiving events have been
/// changed. It says nothing about the order of events that do not depend on each other.
struct Variant {
  struct OnObject {
    const void* object;
    std::vector<Partner> partners;  ///< of its first receiving events
    std::uint32_t black = 0;        ///< how many of these must not be changed any more
  };
  struct OnThread {
    std::uint32_t events = 0;                                 ///< how many of its events are part of the variant
    std::uint32_t black = 0;                                  ///< events of which must not be changed any more
    std::vector<std::pair<std::uint32_t, Partner>> received;  ///< by events that receive messages, in order
  };
  struct Messages {
    ThreadId sender;
    const void* port;
    std::uint32_t count;  ///< how many are part of the variant
  };

  std::vector<OnObject> objects;
  std::vector<OnThread> threads;
  std::vector<Messages> messages;

  [[nodiscard]] const OnObject* find(const void* object) const;
  [[nodiscard]] const OnThread& of(ThreadId thread) const;
  [[nodiscard]] bool has_message(ThreadId sender, const void* port, std::uint32_t order) const;
};

/// A change: the partner of a receiving event becomes one of its race set.
struct Change {
  std::uint32_t receiving;
  std::uint32_t race;
};

/// The variant of a sequence with these changes.
Variant derive(const SynSequence& sequence, const std::vector<Change>& changes);

}  // namespace norn::reachability
