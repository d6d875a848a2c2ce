// Which operations can happen now, and in which ways.

#include <algorithm>

#include "exec/objects.hpp"
#include "exec/scheduler.hpp"
#include "trace/dependency.hpp"

namespace norn::exec {

void Scheduler::collect_choices() {
  enabled_ = 0;
  for (unsigned i = 0; i < slots_used_; ++i)
    if (threads_[i].status == Status::pending)
      threads_[i].spinning && !goes_on_anyway(threads_[i]) ? collect_spinner(threads_[i]) : collect(threads_[i]);
  if (gives_way_) [[unlikely]] {
    gives_way_ = false;
    if (enabled_ == 0)
      collect_patient();
    else
      passed_over_ = true;
  }
  if (enabled_ == 0 && spinning_ != 0 && (record_.raced || !watch_.on())) let_spinners_look();
  if (enabled_ == 0 && spinning_ != 0) let_spinners_go_round();
  const auto is_other = [this](const Choice& choice) { return choice.thread != goes_round_; };
  const auto its = choices_.subspan(record_.choice_count, enabled_);
  if (goes_round_ != no_thread) lets_others_move_ |= std::any_of(its.begin(), its.end(), is_other);
}

/// Although it seems to wait in a loop.
bool Scheduler::goes_on_anyway(Thread& thread) {
  const std::uint32_t step = record_.steps;
  const bool is_forced = step < prefix_.size();
  const Choice wanted = is_forced ? prefix_[step] : Choice{thread.id, 0};
  if (wanted.thread != thread.id || wanted.alternative == time_passes) return false;
  if (!(is_forced && follows_) && !strategy_->insists_on(step, thread.id)) return false;
  go_round_again(thread);
  return true;
}

/// Who changes something on the way may keep others from moving where it is, as whoever holds a lock of the program's
/// own does, and not elsewhere. So if nobody can move, it goes round once more, which others may use.
void Scheduler::let_spinners_go_round() {
  for (Thread& thread : threads()) {
    const bool has_done_so = thread.once_more == changes_ - thread.own_changes + 1;
    if (!thread.spinning || !thread.changes_on_way || has_done_so) continue;
    go_round_again(thread);
    collect(thread);
    if (enabled_ != 0) return;
  }
}

void Scheduler::go_round_again(Thread& thread) {
  thread.spinning = false;
  --spinning_;
  if (!thread.changes_on_way) return;
  thread.once_more = changes_ - thread.own_changes + 1;
  goes_round_ = thread.id;
}

/// What threads wait for may be a plain variable, in a program with data races.
void Scheduler::let_spinners_look() {
  for (Thread& thread : threads()) {
    if (!thread.spinning || thread.others_writes == writes_ - thread.writes) continue;
    thread.spinning = false;
    --spinning_;
    thread.pending.op == Op::yield ? add(thread) : collect(thread);
  }
}

/// Those that give way go on when nobody else can. If they do so again and again and nothing changes, they wait for
/// what cannot come.
void Scheduler::collect_patient() {
  constexpr std::uint32_t longest_computation = 16;
  for (Thread& thread : threads()) {
    if (thread.status != Status::pending || thread.pending.op != Op::yield || thread.spinning) continue;
    if (thread.computes_in_vain >= longest_computation && thread.progress_seen == progress()) {
      record_.spun = true;
      begin_spinning(thread);
    } else {
      add(thread);
    }
  }
}

/// Whether the alternatives of an operation say more than that it happens.
static bool has_alternatives(Op op) {
  switch (op) {
    case Op::mutex_timed_lock:
    case Op::rwlock_timed_read:
    case Op::rwlock_timed_write:
    case Op::semaphore_timed_wait:
    case Op::condition_signal:
    case Op::condition_sleep:
    case Op::condition_timed_sleep:
    case Op::address_wake:
    case Op::address_sleep:
    case Op::address_timed_sleep:
    case Op::receive:
    case Op::poll: return true;
    default: return false;
  }
}

/// A thread that goes round in circles can go on if it looks at the clock and time passes.
void Scheduler::collect_spinner(const Thread& thread) {
  if (!thread.waits_for_time || has_alternatives(thread.pending.op)) return;
  const unsigned before = enabled_;
  collect(const_cast<Thread&>(thread));
  // Only if its operation is possible at all, and only in this one way.
  const bool possible = enabled_ != before;
  enabled_ = before;
  if (possible) add(thread, time_passes);
}

bool Scheduler::can_take(const Mutex& mutex, ThreadId thread) const {
  if (mutex.answers(thread)) return true;
  return mutex.robust() && mutex.owner() < threads_.size() && threads_[mutex.owner()].status == Status::ended;
}

/// Of objects that are no memory of the program's; atomic operations tell theirs themselves.
std::uint64_t Scheduler::state_before(const Operation& operation) const {
  switch (operation.op) {
    case Op::mutex_lock:
    case Op::mutex_try_lock:
    case Op::mutex_timed_lock:
    case Op::mutex_unlock:
    case Op::condition_relock: {
      const Mutex mutex(operation.object);
      if (can_take(mutex, no_thread)) return state::free;
      return state::of_mutex(mutex.owner(), mutex.recursive(), mutex.checks_errors());
    }
    case Op::send:
    case Op::receive:
    case Op::poll: return Receive::length(*static_cast<norn_mailbox*>(operation.object));
    case Op::monitor_enter: return static_cast<norn_door*>(operation.object)->owner;
    case Op::spin_lock:
    case Op::spin_try_lock:
    case Op::spin_unlock:
      return *static_cast<int*>(operation.object) == spin_lock_free ? state::free : state::of_mutex(0, false, false);
    case Op::rwlock_read:
    case Op::rwlock_try_read:
    case Op::rwlock_timed_read:
    case Op::rwlock_write:
    case Op::rwlock_try_write:
    case Op::rwlock_timed_write:
    case Op::rwlock_unlock: {
      const ReadWriteLock lock(operation.object);
      return state::of_rwlock(!lock.readable(), readers_ordered_ ? lock.readers() : 0);
    }
    case Op::semaphore_wait:
    case Op::semaphore_try_wait:
    case Op::semaphore_timed_wait:
    case Op::semaphore_post:
    case Op::semaphore_value:
    case Op::binary_post:
      return static_cast<std::uint64_t>(Semaphore{operation.object, operation.argument != 0}.value());
    case Op::once: {
      const Once once{operation.object, operation.argument != 0};
      return once.done() ? state::done : once.in_progress() ? state::begun : state::free;
    }
    case Op::thread_try_join:
      return threads_[thread_of_object(operation.object)].status == Status::ended ? state::done : state::free;
    default: return 0;
  }
}

void Scheduler::add(const Thread& thread, std::uint16_t alternative) {
  const std::size_t index = record_.choice_count + enabled_;
  if (index < choices_.size()) choices_[index] = {thread.id, alternative};
  ++enabled_;
}

/// A signal wakes any of the waiters (or the first, with --wakeup fifo); without waiters it is lost.
void Scheduler::add_waiters(const Thread& thread, Op sleep, Op timed_sleep) {
  const auto waiting = sleepers(thread.pending.object, sleep, timed_sleep);
  if (waiting.empty()) return add(thread, no_thread);
  if (!wakes_any_) return add(thread, waiting.front());
  for (const ThreadId waiter : waiting) add(thread, waiter);
}

void Scheduler::add_messages(const Thread& thread) {
  const unsigned before = enabled_;
  static_cast<const Receive*>(thread.pending.mutex)->for_each_next([&](const norn_message& message, unsigned port) {
    add(thread, from_sender(static_cast<ThreadId>(message.sender), port));
  });
  if (enabled_ == before && thread.pending.op == Op::poll) add(thread, nothing_came);
}

const void* const* Scheduler::ports_of(const Operation& operation) {
  if (operation.op != Op::receive && operation.op != Op::poll) return nullptr;
  return reinterpret_cast<const void* const*>(static_cast<const Receive*>(operation.mutex)->from);
}

void Scheduler::collect(Thread& thread) {
  const Operation& operation = thread.pending;
  switch (operation.op) {
    case Op::mutex_lock:
    case Op::condition_relock:
      if (can_take(Mutex(operation.object), thread.id)) add(thread);
      return;
    case Op::mutex_timed_lock: return add(thread, can_take(Mutex(operation.object), thread.id) ? 0 : expires);
    case Op::spin_lock:
      if (*static_cast<int*>(operation.object) == spin_lock_free) add(thread);
      return;
    case Op::rwlock_read:
      if (ReadWriteLock(operation.object).readable()) add(thread);
      return;
    case Op::rwlock_timed_read: return add(thread, ReadWriteLock(operation.object).readable() ? 0 : expires);
    case Op::rwlock_write:
      if (ReadWriteLock(operation.object).writable()) add(thread);
      return;
    case Op::rwlock_timed_write: return add(thread, ReadWriteLock(operation.object).writable() ? 0 : expires);
    case Op::semaphore_wait:
      if (Semaphore{operation.object, operation.argument != 0}.value() > 0) add(thread);
      return;
    case Op::binary_post:
      if (Semaphore{operation.object, true}.value() == 0) add(thread);
      return;
    case Op::monitor_enter:
      if (static_cast<norn_door*>(operation.object)->owner == 0) add(thread);
      return;
    case Op::receive:
    case Op::poll: return add_messages(thread);
    case Op::deposit: {
      const auto& box = *static_cast<norn_bounded_mailbox*>(operation.mutex);
      if (box.count < box.capacity) add(thread);
      return;
    }
    case Op::withdraw:
      if (static_cast<norn_bounded_mailbox*>(operation.mutex)->first != nullptr) add(thread);
      return;
    case Op::semaphore_timed_wait:
      return add(thread, Semaphore{operation.object, operation.argument != 0}.value() > 0 ? 0 : expires);
    case Op::once:
      if (!Once{operation.object, operation.argument != 0}.in_progress()) add(thread);
      return;
    case Op::condition_signal: return add_waiters(thread, Op::condition_sleep, Op::condition_timed_sleep);
    case Op::address_wake:
      if (operation.argument == 1) return add_waiters(thread, Op::address_sleep, Op::address_timed_sleep);
      return add(thread);
    case Op::condition_timed_sleep: add(thread, expires); [[fallthrough]];
    case Op::condition_sleep:
      if (spurious_left_ > 0) {
        add(thread, wakes_spuriously);
        entangle(Entangled::by_spurious);
      }
      return;
    case Op::address_timed_sleep: return add(thread, expires);
    case Op::yield: gives_way_ = true; return;
    case Op::thread_create:
    case Op::address_sleep:
    case Op::barrier_sleep:
    case Op::park:
    case Op::thread_join: return;
    default: return add(thread);
  }
}

}  // namespace norn::exec
