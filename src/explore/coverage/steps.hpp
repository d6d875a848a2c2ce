#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "explore/coverage/criterion.hpp"
#include "support/hash.hpp"

namespace norn::coverage {

/// How threads went from one line to the next in the runs so far. What is estimated from a run depends on that, so a
/// run without any new step teaches no more than others did.
class Steps {
 public:
  /// Whether the run has steps that no run before had.
  bool add(const Trace& trace, const Criterion& criterion) {
    const std::size_t known = steps_.size();
    last_.clear();
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const Event& event = trace.events[i];
      if (!criterion.controls(event.op)) continue;
      if (last_.size() <= event.thread) last_.resize(event.thread + std::size_t{1});
      const Location from = std::exchange(last_[event.thread], trace.locations[i]);
      const std::uint64_t where = combine(reinterpret_cast<std::uintptr_t>(event.object), event.thread);
      steps_.insert(combine(where, std::uint64_t{from} << 32 | trace.locations[i]));
    }
    return steps_.size() != known;
  }

 private:
  std::unordered_set<std::uint64_t> steps_;
  std::vector<Location> last_;  ///< by thread
};

}  // namespace norn::coverage
