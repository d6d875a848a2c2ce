#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "explore/reachability/syn_sequence.hpp"

namespace norn::reachability {

/// Whom a receiving event is to be synchronized with.
struct Partner {
  ThreadId thread = no_thread;  ///< no_thread: anybody who was not there before
  std::uint16_t alternative = 0;
  std::uint32_t index = 0;  ///< which of the thread's events: calls only
  Op op = Op::none;

  [[nodiscard]] bool is_open() const { return thread == no_thread; }
  friend bool operator==(const Partner&, const Partner&) = default;
};

/// A race variant (definition 7): what is left of a sequence after the partners of some receiving events have been
/// changed. It says nothing about the order of events that do not depend on each other.
struct Variant {
  /// A thread sees an object in a certain state.
  struct Look {
    ThreadId thread = no_thread;
    std::uint32_t index = 0;  ///< which of the thread's events
    std::uint32_t state = 0;  ///< after so many changes
    bool may_change = false;  ///< it may be the next change
    bool is_last = false;     ///< it is: others that see this state come before
    Op op = Op::none;
    friend auto operator<=>(const Look&, const Look&) = default;
  };
  struct OnObject {
    const void* object = nullptr;
    std::vector<Partner> partners = {};  ///< of its first receiving events
    std::uint32_t black = 0;             ///< how many of these must not be changed any more
    std::uint32_t states = 0;            ///< after how many changes it is part of the variant what the object knows
    std::vector<Look> looks = {};
    friend bool operator==(const OnObject&, const OnObject&) = default;
  };
  struct OnThread {
    std::uint32_t events = 0;                                 ///< how many of its events are part of the variant
    std::uint32_t black = 0;                                  ///< events of which must not be changed any more
    bool may_expire = false;                                  ///< the next one is, too, if it is the end of a sleep
    std::vector<std::pair<std::uint32_t, Partner>> received;  ///< by events that receive messages, in order
    friend bool operator==(const OnThread&, const OnThread&) = default;
  };
  struct Messages {
    ThreadId sender = no_thread;
    const void* port = nullptr;
    std::uint32_t count = 0;  ///< how many are part of the variant
    friend bool operator==(const Messages&, const Messages&) = default;
  };

  std::vector<OnObject> objects;
  std::vector<OnThread> threads;
  std::vector<Messages> messages;
  std::optional<Ending> end;    ///< ends the run, after all that can happen besides
  std::vector<Ending> endings;  ///< must not happen

  /// From now on the changes of its object are counted.
  void watch(const Ending& ending);
  [[nodiscard]] const OnObject* find(const void* object) const;
  [[nodiscard]] const OnThread& of(ThreadId thread) const;
  [[nodiscard]] bool has_call(ThreadId thread, std::uint32_t index, Op op) const;
  [[nodiscard]] bool has_message(ThreadId sender, const void* port, std::uint32_t order) const;
  /// Whether the object is known after so many changes. At first it always is.
  [[nodiscard]] bool has_state(const void* object, std::uint32_t changes) const;
  friend bool operator==(const Variant&, const Variant&) = default;
};

/// A change: the partner of a receiving event becomes one of its race set, or, if there is none, something that was not
/// there before.
struct Change {
  std::uint32_t receiving = none;
  std::uint32_t race = none;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(receiving, race);
  }
};

/// What is different in a variant.
struct Changes {
  std::vector<Change> changes;
  std::vector<std::uint32_t> fixed;  ///< receiving events that must stay as they are
  std::vector<std::uint32_t> last;   ///< looks that are known to change what they see
  std::uint32_t end = none;          ///< of the endings of the sequence: the one that ends the run

  /// What goes with a change: an event that it takes the place of another.
  [[nodiscard]] static const Sending* new_partner(const SynSequence& sequence, const Change& change);
  [[nodiscard]] const Change* find(std::uint32_t receiving) const;
  /// An event stays unless its control structure has an event that is changed.
  [[nodiscard]] bool keep(const SynSequence& sequence, Row structure) const {
    return keep(sequence, sequence.row(structure));
  }
  [[nodiscard]] bool keep(const SynSequence& sequence, const Clock* past) const;
  /// Whether the event of a receiving event that is not changed itself has become another one: it is a new partner
  /// elsewhere, or looks at another state.
  [[nodiscard]] bool move(const SynSequence& sequence, const Receiving& r) const;
  /// Whether the receiving event has its old partner.
  [[nodiscard]] bool leave(const SynSequence& sequence, std::uint32_t receiving) const;
  /// What happens before the changes, and what must stay: for each thread, so many events.
  [[nodiscard]] std::vector<Clock> past(const SynSequence& sequence) const;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(changes, fixed, last, end);
  }
};

/// The variant of a sequence with these changes.
Variant derive(const SynSequence& sequence, const Changes& changes);

}  // namespace norn::reachability
