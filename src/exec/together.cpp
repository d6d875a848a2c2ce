// Mutexes that a thread takes together (exec/lock_groups.hpp).

#include "exec/objects.hpp"
#include "exec/scheduler.hpp"
#include "trace/dependency.hpp"

namespace norn::exec {

/// Only those of the plainest kind, of which nothing else matters than whether they are held. From now on giving back
/// is a visible operation.
bool Scheduler::can_unite(std::span<pthread_mutex_t* const> mutexes) {
  if (record_.locks_one_by_one) return false;
  for (std::size_t i = 0; i < mutexes.size(); ++i) {
    const Mutex mutex(mutexes[i]);
    const auto before = mutexes.first(i);
    if (mutex.type() != PTHREAD_MUTEX_NORMAL || mutex.robust()) return false;
    if (std::find(before.begin(), before.end(), mutexes[i]) != before.end()) return false;
  }
  for (pthread_mutex_t* const other : mutexes.subspan(1))
    if (!record_.lock_groups.find(other, mutexes.front())) return false;
  record_.saw_try_operation = true;
  return true;
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
