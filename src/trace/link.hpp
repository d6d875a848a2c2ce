#pragma once

#include "trace/event.hpp"

namespace norn {

/// An effect of one thread on another that is no event of its own: it happens in the same breath as the event before
/// it. Links are what the order of events does not show of what happened because of what.
enum class LinkKind : std::uint8_t {
  created,    ///< `thread` started `other`
  joined,     ///< `thread` knows that `other` has ended
  released,   ///< `thread` gave back the lock `object`, or finished what is done only once
  met,        ///< `thread` knows what `other`, which sleeps, has done
  woke,       ///< `thread` ended the sleep of `other`, which waited with `op` at `object`
  sent,       ///< `thread` sent a message to the port `object`
  deposited,  ///< the same, if the port can be full: messages are received in this order
  unordered,  ///< the message that `thread` received last came to a port whose messages may come in any order
  grouped,    ///< `other`, or `thread` itself, is one of those that are all the same, the group `object`
  withdrew,   ///< `thread` took the oldest message from the port `object`, which can be full
  opened,     ///< at its last event, `thread` could have received from the port `object` too, the `other`th of several
};

/// For those that a person wants to see; null for the others.
const char* name(LinkKind kind);

struct Link {
  std::uint32_t step;  ///< events of the run so far
  LinkKind kind;
  Op op;
  ThreadId thread;
  ThreadId other;
  const void* object;
};

/// Whether a thread has waited for the end of another, which is joined, too, by whoever takes the lock that it left.
inline bool joins(const Link& link) { return link.kind == LinkKind::joined && link.op == Op::thread_join; }

/// What a thread was about to do when the run ended.
struct Pending {
  ThreadId thread;
  Op op;
  const void* object;
  std::uint64_t argument;
  bool enabled;                   ///< it could have gone on
  std::uint64_t whereabouts = 0;  ///< as in Event
};

}  // namespace norn
