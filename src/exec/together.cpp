// Locks that a thread takes together (std::lock): nobody sees how it does that, so all are there at once for others.
//
// It takes one after the other, always in the order of their addresses. Where it gets them all, this is the same: what
// it does to the first ones can as well be done right before it gets the last one, because nobody else does anything to
// them in between. And it never waits for somebody who only has a part of what he wants but for those who have all of
// it, so no run gets stuck that would not otherwise, apart from those that end before somebody has all:
//
// - Nobody can move, but somebody could if others had no part: then this is no end. In another run they come later.
// - Nobody could move in any case. Then it makes no difference who has which part, and of all such runs that are equal
//   otherwise one counts: that in which threads take as much as they can, one after the other.
// - A run ends early, because it fails or main returns. Then whoever has a part might as well have none, and only the
//   run in which nobody has one counts.
//
// If somebody tries to lock one of these locks without waiting, all that a thread does to get them can be seen, and
// from then on every step of it is an event. It is enough to look for runs in which both happen, in whatever order:
// take any run with all these steps, until somebody is about to see one of them for the first time. So far nobody has,
// so the same can happen where they are taken at once; and there, too, one thread has come to where it takes the lock
// together with others and another one to where it tries it. Each of them got there by what it did before, so both have
// in all runs that go on from there, and in all that are equal to these: of these one is looked at, whatever the
// strategy and whoever does it, before anybody can say that this was all.

#include <algorithm>

#include "exec/objects.hpp"
#include "exec/scheduler.hpp"

namespace norn::exec {
namespace {

bool is_same(const norn_lockable& one, const norn_lockable& other) { return one.object == other.object; }

bool waits_for_lock(Op op) { return op == Op::mutex_lock || op == Op::condition_relock || is_on_rwlock(op); }

}  // namespace

norn_lockable Scheduler::lockable(const HeldLock& held) {
  return {const_cast<void*>(held.object), is_on_rwlock(held.op)};
}

/// Only those of the plainest kinds, of which nothing else matters than whether they are held.
bool Scheduler::may_take_in_order(std::span<const norn_lockable> locks) {
  if (record_.locks_one_by_one) return false;
  for (std::size_t i = 0; i < locks.size(); ++i) {
    const auto before = locks.first(i);
    const auto is_it = [&](const norn_lockable& other) { return is_same(locks[i], other); };
    if (std::any_of(before.begin(), before.end(), is_it)) return false;
    if (locks[i].is_rwlock != 0) continue;
    const Mutex mutex(locks[i].object);
    if (mutex.robust() || mutex.checks_errors()) return false;
  }
  for (const norn_lockable& lock : locks) note_use(lock.object, LockUses::How::together);
  return true;
}

/// Whether it is one of those that it takes together with others, and would not have otherwise.
bool Scheduler::has_as_part(const Thread& thread, const norn_lockable& lock) {
  const auto parts = thread.together.first(thread.parts);
  const auto is_it = [&lock](const norn_lockable& one) { return is_same(one, lock); };
  if (std::none_of(parts.begin(), parts.end(), is_it)) return false;
  return lock.is_rwlock != 0 || Mutex(lock.object).object.__data.__count <= 1;
}

/// Nobody can find a lock taken only because somebody has it as a part: this is not the order in which it is done. So
/// the run is none that can happen.
void Scheduler::give_up_if_part(const Operation& operation) {
  const norn_lockable lock{operation.object, is_on_rwlock(operation.op)};
  const auto has_it = [&lock](const Thread& thread) { return has_as_part(thread, lock); };
  if (std::any_of(threads_.begin(), threads_.begin() + slots_used_, has_it)) end_run(End::repeats, operation.site, {});
}

/// The thread that keeps all others from it. Readers are no part of anything.
const Thread* Scheduler::holder_of(const norn_lockable& lock) const {
  const ThreadId id = lock.is_rwlock != 0 ? ReadWriteLock(lock.object).writer() : Mutex(lock.object).owner();
  return id < threads_.size() ? &threads_[id] : nullptr;
}

/// Whether the thread could take it if nobody had a part of what he takes together.
bool Scheduler::could_have(const Thread& thread, const norn_lockable& lock) const {
  const bool is_free =
      lock.is_rwlock != 0 ? ReadWriteLock(lock.object).writable() : Mutex(lock.object).answers(thread.id);
  const Thread* const holder = holder_of(lock);
  return is_free || (holder != nullptr && has_as_part(*holder, lock));
}

/// What keeps the thread from taking all that it takes together; nullptr if nothing does.
const norn_lockable* Scheduler::first_missing(const Thread& thread) const {
  const auto is_missing = [&](const norn_lockable& lock) { return !could_have(thread, lock); };
  const auto missing = std::find_if(thread.together.begin(), thread.together.end(), is_missing);
  return missing == thread.together.end() ? nullptr : &*missing;
}

/// Whether somebody waits for nothing else than that others have a part of what they take together.
bool Scheduler::waits_for_part() const {
  const auto waits = [this](const Thread& thread) {
    if (thread.status != Status::pending || thread.spinning) return false;
    if (!thread.together.empty()) return first_missing(thread) == nullptr;
    if (!waits_for_lock(thread.pending.op)) return false;
    const norn_lockable lock{thread.pending.object, is_on_rwlock(thread.pending.op)};
    const Thread* const holder = holder_of(lock);
    return holder != nullptr && has_as_part(*holder, lock);
  };
  return std::any_of(threads_.begin(), threads_.begin() + slots_used_, waits);
}

/// Whether, of all the ways in which threads that cannot have all could have parts, this is the one that counts.
bool Scheduler::is_first_of_equals() const {
  std::vector<const void*> taken;
  for (const Thread& thread : std::span(threads_).first(slots_used_)) {
    if (thread.status != Status::pending || thread.together.empty()) continue;
    const auto can_take_it = [&](const norn_lockable& lock) {
      return could_have(thread, lock) && std::find(taken.begin(), taken.end(), lock.object) == taken.end();
    };
    const auto parts = thread.together;
    const auto end = std::find_if_not(parts.begin(), parts.end(), can_take_it);
    if (thread.parts != static_cast<std::size_t>(end - parts.begin())) return false;
    for (auto part = parts.begin(); part != end; ++part) taken.push_back(part->object);
  }
  return true;
}

/// Whether somebody has a part of what it takes together when the run ends early.
void Scheduler::note_parts() {
  const End end = record_.outcome.end;
  const auto has_part = [](const Thread& thread) { return thread.status == Status::pending && thread.parts != 0; };
  record_.in_part = end != End::deadlock && end != End::livelock &&
                    std::any_of(threads_.begin(), threads_.begin() + slots_used_, has_part);
}

}  // namespace norn::exec
