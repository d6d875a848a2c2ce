#include "explore/steer.hpp"

#include <algorithm>

namespace norn {

bool Steer::next(Prefix& prefix) {
  prefix.clear();
  stream_ = SplitMix64(seed_++);
  return true;
}

bool Steer::should_wait(const FreeChoice& at, ThreadId thread) const {
  const Upcoming upcoming = at.threads->upcoming(thread);
  return std::any_of(cycle_.begin(), cycle_.end(), [&](const analysis::LockEdge& edge) {
    return edge.thread == thread && edge.takes == upcoming.object && edge.takes_site == upcoming.site;
  });
}

std::size_t Steer::choose(const FreeChoice& at) {
  preferred_.clear();
  for (std::size_t i = 0; i < at.enabled.size(); ++i)
    if (!should_wait(at, at.enabled[i].thread)) preferred_.push_back(i);
  if (preferred_.empty()) return stream_.below(at.enabled.size());
  return preferred_[stream_.below(preferred_.size())];
}

}  // namespace norn
