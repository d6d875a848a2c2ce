#pragma once

#include <vector>

#include "explore/dpor/node.hpp"
#include "trace/trace.hpp"

namespace norn::dpor {

/// A run as if threads that wait in loops had looked only once, when there was something to see.
class WithoutRounds {
 public:
  /// The same trace if there is nothing in vain. Otherwise it is valid until the next call. Threads that wait at the
  /// end of the run do so in the middle of their last round. The first events, `pinned` of them, stay in any case.
  const Trace& of(const Trace& trace, std::size_t pinned);

 private:
  void find_last_rounds(const Trace& trace, std::size_t pinned);
  void add(const Event& event, std::span<const Choice> enabled);

  Trace trace_;
  std::vector<Event> last_rounds_;
  std::vector<Pending> pending_;
  std::vector<Event> events_;
  std::vector<Choice> choices_;
  std::vector<Link> links_;
};

/// A run as if threads had stayed before the last events of rounds that were in vain.
class HeldRun {
 public:
  /// The threads moved only when nobody else could. Valid until the next call.
  const Trace& until(const Trace& trace, std::span<const Hold> rounds);

 private:
  bool keep(Position i, const Event& event, std::span<const Hold> rounds);

  Trace trace_;
  std::vector<Event> events_;
  std::vector<Choice> choices_;
  std::vector<Link> links_;
  std::vector<Pending> pending_;
  std::vector<bool> ended_;  ///< which of the rounds have
};

}  // namespace norn::dpor
