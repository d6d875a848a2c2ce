#include "report/cause.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "report/words.hpp"

namespace norn {
namespace {

/// Looks for what disturbed one thread.
class Search {
 public:
  Search(const std::vector<ReportedEvent>& events, const std::string& thread) : events_(events), thread_(thread) {
    for (std::size_t i = 0; i < events.size(); ++i)
      if (is_own(i)) {
        own_.push_back(i);
        first_.try_emplace(events[i].address, i);
      }
  }

  /// Which interruptions count.
  enum class Kind {
    any,
    of_update,      ///< between two atomic operations on the object that come one after the other: an update was lost
    by_preemption,  ///< between two that do, when the thread could have gone on
  };

  /// The last time that an object was changed by another thread between two events of this one that used it.
  [[nodiscard]] std::optional<Cause> interruption(Kind kind) const {
    std::map<std::uint64_t, std::size_t> used;  // by this thread, after the event that is looked at
    std::size_t next = 0;
    for (std::size_t i = events_.size(); i-- > 0;) {
      if (is_own(i)) used[events_[i].address] = next = i;
      const std::uint64_t object = events_[i].address;
      const auto first = first_.find(object);
      if (is_own(i) || events_[i].reads || !used.contains(object) || first == first_.end() || first->second > i)
        continue;
      const std::size_t before = *std::prev(std::lower_bound(own_.begin(), own_.end(), i));
      const bool at_once = events_[before].address == object && events_[next].address == object;
      if (kind == Kind::of_update && (!at_once || !events_[i].operation.starts_with("atomic."))) continue;
      if (kind == Kind::by_preemption && (!at_once || !events_[before + 1].preempts)) continue;
      return Cause{thread_, i, before, next};
    }
    return std::nullopt;
  }

  /// The last change by another thread that this one saw.
  [[nodiscard]] std::optional<Cause> last_seen() const {
    std::map<std::uint64_t, std::size_t> used;
    for (std::size_t i = events_.size(); i-- > 0;) {
      if (is_own(i)) used.try_emplace(events_[i].address, i);
      const auto use = used.find(events_[i].address);
      if (!is_own(i) && !events_[i].reads && use != used.end()) return Cause{thread_, i, std::nullopt, use->second};
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_own(std::size_t i) const { return events_[i].thread == thread_; }

  const std::vector<ReportedEvent>& events_;
  std::string thread_;
  std::vector<std::size_t> own_;                // its events
  std::map<std::uint64_t, std::size_t> first_;  // by object: the first event that used it
};

/// Of all threads but the failing one.
std::optional<Cause> latest_of_others(const ReportedBug& bug, Search::Kind kind) {
  std::set<std::string> others;
  for (const ReportedEvent& event : bug.events)
    if (event.thread != bug.thread) others.insert(event.thread);
  std::optional<Cause> latest;
  for (const std::string& thread : others) {
    const auto cause = Search(bug.events, thread).interruption(kind);
    if (cause && (!latest || cause->change > latest->change)) latest = cause;
  }
  return latest;
}

}  // namespace

std::vector<std::string> values_after(const std::vector<ReportedEvent>& events) {
  std::vector<std::string> values(events.size());
  std::map<std::uint64_t, std::string> found;  // by later events
  for (std::size_t i = events.size(); i-- > 0;) {
    const ReportedEvent& event = events[i];
    if (event.value.empty()) continue;
    std::string& value = found[event.address];
    values[i] = event.operation == "atomic.store" ? event.value : value;
    value = event.operation == "atomic.store" ? "" : event.value;
  }
  return values;
}

const ReportedEvent* taken_by(const ReportedBug& bug, const std::string& thread, std::uint64_t address) {
  if (thread.empty()) return nullptr;
  const auto found = std::find_if(bug.events.rbegin(), bug.events.rend(), [&](const ReportedEvent& event) {
    return event.thread == thread && event.address == address && takes_lock(event);
  });
  return found == bug.events.rend() ? nullptr : &*found;
}

bool was_paused(const ReportedBug& bug, std::size_t event) {
  return event + 1 < bug.events.size() && bug.events[event + 1].preempts;
}

std::optional<Cause> find_cause(const ReportedBug& bug) {
  const Search failing(bug.events, bug.thread);
  auto own = failing.interruption(Search::Kind::any);
  if (own && was_paused(bug, *own->before)) return own;
  for (const auto kind : {Search::Kind::of_update, Search::Kind::by_preemption})
    if (auto cause = latest_of_others(bug, kind)) return cause;
  return own ? own : failing.last_seen();
}

}  // namespace norn
