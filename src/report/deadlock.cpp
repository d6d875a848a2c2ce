#include "report/deadlock.hpp"

#include <algorithm>
#include <set>

#include "report/cause.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

const ReportedWait* wait_of(const ReportedBug& bug, const std::string& thread) {
  const auto found =
      std::find_if(bug.waits.begin(), bug.waits.end(), [&](const ReportedWait& wait) { return wait.thread == thread; });
  return found == bug.waits.end() ? nullptr : &*found;
}

/// Follows who waits for whom, depth first, until a thread comes again that is on the way.
class CycleSearch {
 public:
  explicit CycleSearch(const ReportedBug& bug) : bug_(bug) {}

  std::vector<const ReportedWait*> find() {
    for (const ReportedWait& wait : bug_.waits)
      if (visit(wait)) return way_;
    return {};
  }

 private:
  bool visit(const ReportedWait& wait) {
    const auto again = std::find(way_.begin(), way_.end(), &wait);
    if (again != way_.end()) {
      way_.erase(way_.begin(), again);
      return true;
    }
    if (!visited_.insert(&wait).second) return false;
    way_.push_back(&wait);
    for (const std::string& holder : holders(bug_, wait)) {
      const ReportedWait* const next = wait_of(bug_, holder);
      if (next != nullptr && visit(*next)) return true;
    }
    way_.pop_back();
    return false;
  }

  const ReportedBug& bug_;
  std::vector<const ReportedWait*> way_;
  std::set<const ReportedWait*> visited_;
};

}  // namespace

bool still_waits(const ReportedBug& bug, const std::string& thread) { return wait_of(bug, thread) != nullptr; }

Place held_since(const ReportedBug& bug, const std::string& thread, std::uint64_t address) {
  for (const ReportedLock& lock : bug.held)
    if (lock.taken.thread == thread && lock.address == address) return lock.taken.place;
  if (const ReportedEvent* const taken = taken_by(bug, thread, address)) return taken->place;
  const auto begun = std::find_if(bug.events.rbegin(), bug.events.rend(), [&](const ReportedEvent& event) {
    return event.operation == "once" && event.thread == thread && event.address == address && !event.reads;
  });
  return begun == bug.events.rend() ? Place() : begun->place;
}

std::vector<std::string> holders(const ReportedBug& bug, const ReportedWait& wait) {
  std::vector<std::string> threads;
  if (!wait.holder.empty()) threads.push_back(wait.holder);
  if (!is_lock_wait(wait)) return threads;
  for (const ReportedLock& lock : bug.held)
    if (lock.address == wait.address && lock.taken.thread != wait.holder) threads.push_back(lock.taken.thread);
  return threads;
}

Deadlock analyse_deadlock(const ReportedBug& bug) {
  Deadlock deadlock;
  deadlock.cycle = CycleSearch(bug).find();
  for (const ReportedWait& wait : bug.waits) {
    if (std::find(deadlock.cycle.begin(), deadlock.cycle.end(), &wait) != deadlock.cycle.end()) continue;
    const std::vector<std::string> threads = holders(bug, wait);
    const bool waits_for_others = std::any_of(threads.begin(), threads.end(),
                                              [&](const std::string& thread) { return still_waits(bug, thread); });
    const bool is_root = deadlock.cycle.empty() && !waits_for_others;
    (is_root ? deadlock.roots : deadlock.followers).push_back(&wait);
  }
  return deadlock;
}

}  // namespace norn
