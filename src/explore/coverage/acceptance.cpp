#include "explore/coverage/acceptance.hpp"

#include <algorithm>
#include <map>

namespace norn::coverage {
namespace {

/// Actions of one thread that make no difference for any requirement are one: loops have many.
bool same_for_requirements(const ThreadAction& one, const ThreadAction& other) {
  return one.thread == other.thread && one.location == other.location && one.reads == other.reads &&
         one.writes == other.writes && one.held == other.held && one.held_until_next == other.held_until_next &&
         one.held_since_previous == other.held_since_previous && one.created == other.created &&
         one.ended == other.ended;
}

using ByObject = std::map<const void*, std::vector<const ThreadAction*>>;

ByObject different_actions(std::span<const ThreadAction> actions) {
  ByObject by_object;
  for (const ThreadAction& action : actions) {
    std::vector<const ThreadAction*>& known = by_object[action.object];
    const auto is_same = [&](const ThreadAction* one) { return same_for_requirements(*one, action); };
    if (std::none_of(known.begin(), known.end(), is_same)) known.push_back(&action);
  }
  return by_object;
}

}  // namespace

Estimated estimate_pairs(std::span<const ThreadAction> actions, const Relation& concerns, const Relation& accepts) {
  Estimated result;
  for (const auto& [object, different] : different_actions(actions))
    for (const ThreadAction* first : different)
      for (const ThreadAction* second : different)
        if (first != second && concerns(*first, *second))
          (accepts(*first, *second) ? result.accepted : result.rejected).insert({first->location, second->location});
  for (const Pair& pair : result.accepted) result.rejected.erase(pair);
  return result;
}

bool disjoint(const Lockset& one, const Lockset& other) {
  return std::none_of(one.begin(), one.end(),
                      [&](const void* lock) { return std::binary_search(other.begin(), other.end(), lock); });
}

bool may_follow(const ThreadModel& model, const ThreadAction& first, const ThreadAction& second, bool happens_before) {
  if (!disjoint(first.held_until_next, second.held)) return false;                                 // AC2
  if (!disjoint(first.held, second.held_since_previous)) return false;                             // AC3
  return !(happens_before ? model.happens_before(second, first) : model.precedes(second, first));  // AC4
}

}  // namespace norn::coverage
