#include "explore/bug.hpp"

#include <algorithm>
#include <string_view>

namespace norn {

bool same_bug(const Outcome& one, const Outcome& other) {
  return one.end == other.end && one.site == other.site && std::string_view(one.message) == other.message;
}

bool Bug::is_same(const Bug& other) const {
  if (outcome.end != other.outcome.end) return false;
  if (outcome.end == End::data_race)
    return std::minmax(race.first.site, race.second.site) == std::minmax(other.race.first.site, other.race.second.site);
  return same_bug(outcome, other.outcome);
}

void keep(std::vector<Bug>& bugs, Bug bug) {
  const auto known = std::find_if(bugs.begin(), bugs.end(), [&bug](const Bug& other) { return other.is_same(bug); });
  if (known == bugs.end()) {
    bugs.push_back(std::move(bug));
  } else {
    known->count += bug.count;
  }
}

}  // namespace norn
