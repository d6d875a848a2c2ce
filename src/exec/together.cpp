// Mutexes that a thread takes together (exec/lock_groups.hpp).
//
// Nobody sees how it takes them, so it takes one after the other, always in the same order: what it does to the first
// ones can as well be done right before it gets the last one. That is no longer so if the run ends before that:
// somebody else could have had the first ones meanwhile. Then exploration begins anew, with the order in which others
// take them one after the other (exec/lock_ranks.hpp). If it happens with that order as well, the mutexes count as one
// object, and are taken by one operation. (That is right for all programs, but then the order of operations on
// different ones of these mutexes is told apart, too.) And if somebody tries to lock one of them, all that a thread
// does to get them can be seen.

#include "exec/objects.hpp"
#include "exec/scheduler.hpp"
#include "trace/dependency.hpp"

namespace norn::exec {

/// Only those of the plainest kind can be taken together, of which nothing else matters than whether they are held.
/// Once this is one operation, giving back is a visible operation, too.
Together Scheduler::plan_for(std::span<pthread_mutex_t* const> mutexes) {
  if (record_.locks_one_by_one) return Together::one_by_one;
  for (std::size_t i = 0; i < mutexes.size(); ++i) {
    const Mutex mutex(mutexes[i]);
    const auto before = mutexes.first(i);
    if (mutex.type() != PTHREAD_MUTEX_NORMAL || mutex.robust()) return Together::one_by_one;
    if (std::find(before.begin(), before.end(), mutexes[i]) != before.end()) return Together::one_by_one;
  }
  for (pthread_mutex_t* const other : mutexes.subspan(1)) record_.lock_groups.find(other, mutexes.front());
  if (record_.lock_groups.empty()) return Together::in_order;
  if (record_.lock_groups.lacks_room()) record_.saw_try_in_group = true;
  record_.saw_try_operation = true;
  return Together::at_once;
}

/// Whether somebody has only a part of what it takes together when the run ends.
void Scheduler::note_parts() {
  const End end = record_.outcome.end;
  if (end == End::repeats || end == End::pruned || is_cut(end)) return;
  const auto has_part = [](const Thread& thread) { return thread.status == Status::pending && thread.parts != 0; };
  record_.saw_taken_in_part |= std::any_of(threads_.begin(), threads_.begin() + slots_used_, has_part);
}

/// The first of the mutexes that cannot be had; nullptr if all can.
pthread_mutex_t* Scheduler::first_taken(const Operation& operation, ThreadId thread) const {
  const auto& all = *static_cast<const std::span<pthread_mutex_t* const>*>(operation.mutex);
  const auto is_taken = [&](pthread_mutex_t* mutex) { return !can_take(Mutex(mutex), thread); };
  const auto taken = std::find_if(all.begin(), all.end(), is_taken);
  return taken == all.end() ? nullptr : *taken;
}

std::uint64_t Scheduler::wanted_in_group(const Operation& operation) const {
  std::uint64_t wanted = state::in_group | record_.lock_groups.bit_of(operation.object);
  if (operation.op != Op::mutex_lock_together) return wanted;
  for (pthread_mutex_t* const mutex : *static_cast<const std::span<pthread_mutex_t* const>*>(operation.mutex))
    wanted |= record_.lock_groups.bit_of(mutex);
  return wanted;
}

std::uint64_t Scheduler::held_in_group(const void* group) const {
  std::uint64_t held = 0;
  for (const LockGroups::Member& member : record_.lock_groups.members())
    if (member.group == group && Mutex(const_cast<void*>(member.mutex)).held())
      held |= record_.lock_groups.bit_of(member.mutex);
  return held;
}

}  // namespace norn::exec
