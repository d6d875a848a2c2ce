#pragma once

#include <functional>
#include <set>
#include <span>

#include "explore/coverage/requirements.hpp"
#include "explore/coverage/thread_model.hpp"

namespace norn::coverage {

/// What is thought to be possible, from one run.
struct Estimated {
  std::set<Pair> accepted;
  std::set<Pair> rejected;  ///< combinations of lines that cannot follow each other

  void accept(const Pair& pair) {
    accepted.insert(pair);
    rejected.erase(pair);
  }
};

/// Two actions on one object, the second to come right after the first.
using Relation = std::function<bool(const ThreadAction& first, const ThreadAction& second)>;

/// The lines of all actions on one object for which `concerns` holds, and whether `accepts` does for any of those that
/// are at these lines.
Estimated estimate_pairs(std::span<const ThreadAction> actions, const Relation& concerns, const Relation& accepts);

/// Whether no lock is in both.
bool disjoint(const Lockset& one, const Lockset& other);

/// The acceptance conditions AC2 to AC4 of section 2.3, for actions of different threads: no common lock keeps the
/// second from coming before what the first one's thread does next, or makes what its own thread did before come
/// between; and it does not come first in every run. `happens_before`: as far as starting and joining threads says so.
bool may_follow(const ThreadModel& model, const ThreadAction& first, const ThreadAction& second, bool happens_before);

}  // namespace norn::coverage
