#pragma once

// The order of readers' locks. Readers commute, so the same readers could come before a writer in several ways: each of
// them could overtake it first. Of those that overtake one writer, and that none of the others is a cause of, the one
// of the first thread comes first, then the first of what is left, and so on. So where a reader has overtaken a writer,
// readers of earlier threads that do not know any of those that came since are out of turn: with them this would be
// a graph that is derived elsewhere. They may come after the next writer.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "explore/dpor/causality.hpp"
#include "explore/dpor/node.hpp"
#include "trace/dependency.hpp"
#include "trace/trace.hpp"

namespace norn::dpor {

inline bool is_reader(Op op) {
  return op == Op::rwlock_read || op == Op::rwlock_try_read || op == Op::rwlock_timed_read;
}

/// A reader's lock that is about to be taken, or that could be taken there.
struct Reader {
  ThreadId thread;
  std::uint32_t object;
  Position last;      ///< event on the object before it
  const Clock* past;  ///< what happened before it, apart from those
};

/// Of a run of a graph: the readers that have overtaken a writer, where no writer has come since. It is asked before
/// every event, so it goes on from where it was.
class Overtakers {
 public:
  void begin() {
    known_ = 0;
    readers_.clear();
  }
  void follow(const Frame& frame, std::span<const Event> events);
  /// Whether there is one of a later thread.
  [[nodiscard]] bool any_after(ThreadId thread, const void* object) const;

 private:
  std::size_t known_ = 0;  ///< so many events
  std::vector<std::pair<const void*, ThreadId>> readers_;
};

/// `end`: an event that is in the graph for a reason, after all nodes.
bool is_out_of_turn(const Frame& frame, const std::optional<Ending>& end, const Reader& reader);

}  // namespace norn::dpor
