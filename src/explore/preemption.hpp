#pragma once

#include <algorithm>
#include <span>

#include "explore/strategy.hpp"

namespace norn {

inline bool can_move(ThreadId thread, std::span<const Choice> enabled) {
  return std::any_of(enabled.begin(), enabled.end(),
                     [thread](const Choice& choice) { return choice.thread == thread; });
}

/// Whether a move of `thread` takes the turn from `last`, which could have gone on.
inline bool is_preemption(ThreadId last, ThreadId thread, std::span<const Choice> enabled) {
  return thread != last && can_move(last, enabled);
}

/// The thread that moved last goes on if it can, otherwise the first that can: never a preemption.
inline std::size_t without_preemption(const FreeChoice& at) {
  for (std::size_t i = 0; i < at.enabled.size(); ++i)
    if (at.enabled[i].thread == at.last) return i;
  return 0;
}

/// The same as long as it makes sense: then those with higher numbers have their turn, one after the other.
inline std::size_t mostly_without_preemption(const FreeChoice& at) {
  if (!is_time_for_others(at.step)) return without_preemption(at);
  const auto is_next = [&at](const Choice& choice) { return choice.thread > at.last; };
  const auto next = std::find_if(at.enabled.begin(), at.enabled.end(), is_next);
  return next == at.enabled.end() ? 0 : static_cast<std::size_t>(next - at.enabled.begin());
}

/// How many preemptions a run had. Needs the choices at every event.
unsigned preemptions(const Trace& trace);

}  // namespace norn
