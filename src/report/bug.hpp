#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/names.hpp"

namespace norn {

// A failing run with all addresses named, for a person to read. Objects are told apart by their addresses; their names
// are only for reading.

struct ReportedEvent {
  std::string thread;
  std::string operation;
  std::string alternative;
  std::string object;
  Place place;
  std::uint64_t address = 0;
  std::string value;      ///< what an atomic operation read or stored
  bool reads = false;     ///< it changed nothing: it looked, or it tried and failed
  bool preempts = false;  ///< the thread of the event before could have gone on
  std::string call;       ///< what an atomic update is called in the program, if that is known: "fetch_add"
  std::vector<Place> stack = {};
};

/// What a thread did in the same breath as the event before it, so that it is no event: it started another thread, it
/// gave back a lock (trace/link.hpp).
struct ReportedLink {
  std::string kind;
  std::size_t step = 0;  ///< how many events came before
  std::string thread;
  std::string other;
  std::string object;
  std::uint64_t address = 0;
  std::size_t links = 0;  ///< how many links came before
  Place place = {};
  std::vector<Place> stack = {};
};

/// A thread that cannot go on at the end of the run.
struct ReportedWait {
  std::string thread;
  std::string operation;
  std::string object;
  std::string holder;
  Place place;
  std::uint64_t address = 0;
  std::vector<Place> stack;
};

/// Something that a thread did between two events.
struct Moment {
  std::string thread;
  std::size_t step = 0;  ///< how many events came before
  Place place;
  std::vector<Place> stack;
  std::size_t links = SIZE_MAX;  ///< how many links came before: all that came before the next event, if nobody knows
};

/// A lock that a thread held, and since when.
struct ReportedLock {
  std::string object;
  std::uint64_t address = 0;
  Moment taken;
};

/// An access to memory that raced with another or was wrong by itself.
struct ReportedAccess {
  Moment when;
  std::string action;  ///< "reads", "atomically writes", "frees"
  std::string object;  ///< its short name
  std::string what;    ///< the same for sentences: "counter", "a heap block of 24 bytes"
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::vector<ReportedLock> locks;
};

struct ReportedBlock {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  Moment allocated;
  std::optional<Moment> freed;
};

/// How the schedule of a bug was made simpler: from what, in how many runs, and whether every schedule with fewer
/// preemptions was tried.
struct ReportedMinimisation {
  std::uint64_t runs = 0;
  std::uint64_t from_events = 0;
  std::uint64_t from_preemptions = 0;
  bool complete = true;
};

struct ReportedBug {
  std::string kind;
  std::string message;
  std::string thread;
  std::string object;  ///< what was misused, if it has a name
  Place place;
  std::uint64_t count = 1;
  unsigned preemptions = 0;
  bool reproduced = true;
  std::vector<Place> stack;
  std::vector<ReportedEvent> events;
  std::vector<ReportedWait> waits;
  std::vector<ReportedAccess> accesses;
  std::optional<ReportedBlock> block;
  std::vector<ReportedLock> held;  ///< when the run ended
  std::optional<ReportedMinimisation> minimised;
  /// What names such as "#1" stand for: "on the stack of main".
  std::vector<std::pair<std::string, std::string>> legend;
  /// What threads call themselves, by the names that Norn gives them.
  std::vector<std::pair<std::string, std::string>> own_names = {};
  std::string output;
  std::string trace;  ///< path of the replay file; empty if there is none
  std::vector<ReportedLink> links = {};
  std::vector<ReportedBug> original = {};  ///< how it was found before it was minimised, if that was asked for
  std::vector<ReportedBug> passing = {};   ///< a run that passes and begins in the same way, if there is one
};

/// Nobody accesses what is lost, and no thread was where that was noticed.
inline bool is_leak(const ReportedBug& bug) { return bug.block && bug.message.starts_with("leak: "); }

/// The place is that of the lock.
inline bool is_about_kept_lock(const ReportedBug& bug) {
  return bug.message.starts_with("the thread ends while it holds");
}

/// Something suspicious that is no bug of this run.
struct ReportedWarning {
  /// One lock taken while another was held.
  struct Step {
    std::string thread;
    std::string holds;
    std::string wants;
    Place holds_place;
    Place wants_place;
    std::vector<Place> holds_stack;
    std::vector<Place> wants_stack;
  };
  std::string kind;
  std::string message;
  std::vector<Step> cycle;
  std::vector<std::pair<std::string, std::string>> legend;
  std::optional<std::uint64_t> attempts = {};  ///< so many runs were steered there in vain, if that is known
};

}  // namespace norn
