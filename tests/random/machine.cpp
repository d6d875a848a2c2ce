#include "machine.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace random_programs {
namespace {

bool holds(const ThreadState& thread, const Operation& operation) {
  return (thread.registers[operation.reg] == value_of(thread, operation.value)) == operation.equal;
}

unsigned lock_of(const Operation& operation) { return lock_number(operation.kind, operation.index); }

unsigned semaphore_of(const Operation& operation) {
  return operation.index + static_cast<unsigned>(std::string_view("spn").find(operation.kind)) * objects_per_kind;
}

unsigned once_of(const Operation& operation) {
  return operation.index + (operation.kind == 'o' ? 0 : objects_per_kind);
}

bool is_timed(const Operation& operation) {
  return operation.verb == Verb::WaitFor || operation.verb == Verb::TimedWait;
}

}  // namespace

State Machine::initial() const {
  State state;
  for (unsigned i = 0; i < objects_per_kind; ++i) {
    state.atomics[i] = program_.initial_value('a', i);
    state.semaphores[i] = program_.initial_value('s', i);
    state.semaphores[objects_per_kind + i] = program_.initial_value('p', i);
    state.semaphores[2 * objects_per_kind + i] = program_.initial_value('n', i);
  }
  state.threads[0].phase = Phase::Ready;
  settle(state, 0);
  return state;
}

void Machine::append_steps(const State& state, unsigned thread, States& next) const {
  switch (state.threads[thread].phase) {
    case Phase::NotStarted:
    case Phase::Finished:
    case Phase::AtBarrier:
    case Phase::Sleeping:
    case Phase::Calling:
    case Phase::Parked:
    case Phase::Urgent: return;
    case Phase::Ready: return at_end(state, thread) ? perform_end(state, thread, next) : perform(state, thread, next);
    case Phase::Waiting: return expire(state, thread, next);
    case Phase::Notified:
    case Phase::Expired: return end_wait(state, thread, next);
    case Phase::InOnce: return run_once(state, thread, next);
    case Phase::HasOne: return try_other_of_both(state, thread, next);
    case Phase::HasInVain: return give_back_one_of_both(state, thread, next);
    case Phase::Undecided: return await_either(state, thread, operation_of(state, thread), next);
    case Phase::Reentering: return enter(state, thread, operation_of(state, thread), next);
  }
}

/// A thread that waits for one of two things looks at the second only when it is there. When it is not, the thread
/// looks for the first again; but then it might as well have looked later the first time, and that is another way.
bool Machine::would_look_again(const State& state) const {
  for (unsigned thread = 0; thread < program_.thread_count; ++thread) {
    const ThreadState& self = state.threads[thread];
    if (self.phase == Phase::Undecided && state.atomics[0] == value_of(self, operation_of(state, thread).value))
      return true;
  }
  return false;
}

const Operation& Machine::operation_of(const State& state, unsigned thread) const {
  return program_.threads[thread].operations[state.threads[thread].next];
}

bool Machine::at_end(const State& state, unsigned thread) const {
  return state.threads[thread].next >= program_.threads[thread].size;
}

/// What a thread may not do is passed over; see description.hpp.
bool Machine::may_perform(const State& state, unsigned thread, const Operation& operation) const {
  const ThreadState& self = state.threads[thread];
  switch (operation.verb) {
    case Verb::Lock:
    case Verb::TryLock:
    case Verb::TryLockFor:
    case Verb::LockShared:
    case Verb::TryLockShared: return operation.kind == 'q' || self.held[lock_of(operation)] == 0;
    case Verb::LockBoth:
      return may_lock_both(program_, thread) && self.held[lock_number('m', 0)] == 0 &&
             self.held[lock_number('m', 1)] == 0;
    case Verb::Unlock: return self.held[lock_of(operation)] != 0 && self.held[lock_of(operation)] != shared_hold;
    case Verb::UnlockShared: return self.held[lock_of(operation)] == shared_hold;
    case Verb::Wait:
    case Verb::WaitFor:
    case Verb::TimedWait: return self.held[lock_number('m', operation.index)] != 0;
    case Verb::Join: return (self.children >> operation.number & 1) != 0;
    case Verb::Receive:
    case Verb::Accept:
    case Verb::Select: return open_ports(receivers_, thread, operation) != 0;
    case Verb::Enter: return self.held[monitor_place(operation)] == 0;
    case Verb::Leave:
    case Verb::MonitorWait:
    case Verb::Signal:
    case Verb::SignalAll:
    case Verb::SignalAndExit: return self.held[monitor_place(operation)] != 0;
    default: return true;
  }
}

bool Machine::can_lock(const State& state, unsigned thread, unsigned lock) const {
  for (unsigned other = 0; other < max_threads; ++other)
    if (other != thread && state.threads[other].held[lock] != 0) return false;
  return true;
}

bool Machine::can_share(const State& state, unsigned thread, unsigned lock) const {
  if (fault_ == Fault::ReadersExclude) return can_lock(state, thread, lock);
  for (const ThreadState& other : state.threads)
    if (other.held[lock] != 0 && other.held[lock] != shared_hold) return false;
  return true;
}

/// Carries a thread to its next operation that others could notice. What happens on the way is its own business, so
/// doing it at once loses no outcome: a failing assertion ends every continuation in the same way. (In an unjoined
/// program the end of main could come first; the generator puts no assertions into the other threads of those.) The
/// same goes for what others notice only by what they can do from then on, which may let others go on as well.
void Machine::settle(State& state, unsigned thread) const {
  ThreadState& self = state.threads[thread];
  while (!at_end(state, thread)) {
    const Operation& operation = operation_of(state, thread);
    if (operation.verb == Verb::If) {
      const unsigned target = self.next + 1u + (holds(self, operation) ? operation.number : 0u);
      self.next = static_cast<std::uint8_t>(std::min<unsigned>(target, program_.threads[thread].size));
      continue;
    }
    if (operation.verb == Verb::Assert && !holds(self, operation)) state.assertion_failed = 1;
    if (state.assertion_failed != 0) return;
    if (operation.verb != Verb::Assert && may_perform(state, thread, operation)) {
      if (!is_unnoticed(operation.verb) || !perform_unnoticed(state, thread, operation)) return;
    }
    ++self.next;
  }
  leave_all(state, thread);
  const bool holds_nothing = std::all_of(self.held.begin(), self.held.end(), [](auto count) { return count == 0; });
  if (holds_nothing && (self.children == 0 || program_.unjoined)) self.phase = Phase::Finished;
}

State Machine::advanced(State state, unsigned thread) const {
  go_on(state, thread);
  return state;
}

/// What it waited for, or was at, is behind it.
void Machine::go_on(State& state, unsigned thread) const {
  state.threads[thread].phase = Phase::Ready;
  ++state.threads[thread].next;
  settle(state, thread);
}

void Machine::perform(const State& state, unsigned thread, States& next) const {
  const Operation& operation = operation_of(state, thread);
  switch (operation.verb) {
    case Verb::Spawn: return spawn(state, thread, operation.number, next);
    case Verb::Join: return join(state, thread, operation.number, next);
    case Verb::Lock:
    case Verb::TryLock:
    case Verb::TryLockFor:
    case Verb::LockShared:
    case Verb::TryLockShared: return lock(state, thread, operation, next);
    case Verb::LockBoth: return sees_locks_ ? lock_one_of_both(state, thread, next) : lock_both(state, thread, next);
    case Verb::Unlock:
    case Verb::UnlockShared: {
      State released = state;
      std::uint8_t& held = released.threads[thread].held[lock_of(operation)];
      held = held == shared_hold ? 0 : held - 1;
      return next.push_back(advanced(released, thread));
    }
    case Verb::Wait:
    case Verb::WaitFor:
    case Verb::TimedWait: {
      State waiting = state;
      waiting.threads[thread].held[lock_number('m', operation.index)] = 0;
      waiting.threads[thread].phase = Phase::Waiting;
      return next.push_back(waiting);
    }
    case Verb::NotifyOne:
    case Verb::NotifyAll: return notify(state, thread, operation, next);
    case Verb::Load:
    case Verb::Store:
    case Verb::Add:
    case Verb::Exchange:
    case Verb::CompareExchange: return access(state, thread, operation, next);
    case Verb::Await: return await(state, thread, operation, next);
    case Verb::Watch: return watch(state, thread, operation, next);
    case Verb::AwaitEither: return await_either(state, thread, operation, next);
    case Verb::SleepWhile: return sleep(state, thread, operation, next);
    case Verb::WakeOne:
    case Verb::WakeAll: return wake(state, thread, operation, next);
    case Verb::Acquire:
    case Verb::TryAcquire:
    case Verb::TryAcquireFor:
    case Verb::Release:
    case Verb::ReleaseSome: return use_semaphore(state, thread, operation, next);
    case Verb::Arrive: return arrive(state, thread, operation, next);
    case Verb::Once:
    case Verb::OnceFailing: return enter_once(state, thread, operation, next);
    case Verb::Receive:
    case Verb::Accept:
    case Verb::Select: return receive(state, thread, operation, next);
    case Verb::Enter: return enter(state, thread, operation, next);
    case Verb::Send:
    case Verb::Call:
    case Verb::Leave:
    case Verb::MonitorWait:
    case Verb::Signal:
    case Verb::SignalAll:
    case Verb::SignalAndExit:
    case Verb::If:
    case Verb::Assert: return;  // settled before
  }
}

/// At its end a thread releases one lock or joins one child a step.
void Machine::perform_end(const State& state, unsigned thread, States& next) const {
  State after = state;
  ThreadState& self = after.threads[thread];
  const auto held = std::find_if(self.held.begin(), self.held.end(), [](auto count) { return count != 0; });
  if (held != self.held.end()) {
    *held = *held == shared_hold ? 0 : *held - 1;
    settle(after, thread);
    return next.push_back(after);
  }
  unsigned child = 0;
  while ((self.children >> child & 1) == 0) ++child;
  if (after.threads[child].phase != Phase::Finished && fault_ != Fault::JoinDoesNotWait) return;
  self.children = static_cast<std::uint8_t>(self.children & ~(1u << child));
  settle(after, thread);
  next.push_back(after);
}

void Machine::spawn(State state, unsigned thread, unsigned child, States& next) const {
  state.threads[thread].children = static_cast<std::uint8_t>(state.threads[thread].children | 1u << child);
  state.threads[child].phase = Phase::Ready;
  settle(state, child);
  next.push_back(advanced(state, thread));
}

void Machine::join(State state, unsigned thread, unsigned child, States& next) const {
  if (state.threads[child].phase != Phase::Finished && fault_ != Fault::JoinDoesNotWait) return;
  state.threads[thread].children = static_cast<std::uint8_t>(state.threads[thread].children & ~(1u << child));
  next.push_back(advanced(state, thread));
}

/// All ways to take a lock. Trying fails, and waiting for a limited time may end, only while others hold it.
void Machine::lock(const State& state, unsigned thread, const Operation& operation, States& next) const {
  const unsigned lock = lock_of(operation);
  const bool shared = operation.verb == Verb::LockShared || operation.verb == Verb::TryLockShared;
  const bool free = shared ? can_share(state, thread, lock) : can_lock(state, thread, lock);
  const bool may_fail =
      has_result(operation.verb) && (free ? fault_ == Fault::TryLockMayFailFree : fault_ != Fault::TryLockBlocks);
  if (free) {
    State taken = state;
    ThreadState& self = taken.threads[thread];
    self.held[lock] = shared ? shared_hold : static_cast<std::uint8_t>(self.held[lock] + 1);
    if (has_result(operation.verb)) self.registers[operation.reg] = 1;
    next.push_back(advanced(taken, thread));
  }
  if (may_fail) {
    State failed = state;
    failed.threads[thread].registers[operation.reg] = 0;
    next.push_back(advanced(failed, thread));
  }
}

void Machine::lock_both(State state, unsigned thread, States& next) const {
  ThreadState& self = state.threads[thread];
  const unsigned named = lock_number('m', operation_of(state, thread).index);
  const unsigned other = lock_number('m', 1u - operation_of(state, thread).index);
  const bool in_turn = fault_ == Fault::BothInTurn;
  const bool wants_named = self.held[named] == 0;
  if ((wants_named && !can_lock(state, thread, named)) ||
      (!(in_turn && wants_named) && !can_lock(state, thread, other)))
    return;
  self.held[named] = 1;
  if (in_turn && wants_named) return next.push_back(state);
  self.held[other] = 1;
  next.push_back(advanced(state, thread));
}

/// As the C++ library does it, where somebody can see that: it waits for one of them and tries the other. If that
/// fails, it gives back what it has and begins with the other.
void Machine::lock_one_of_both(State state, unsigned thread, States& next) const {
  const unsigned first = lock_number('m', operation_of(state, thread).index ^ state.threads[thread].place);
  if (!can_lock(state, thread, first)) return;
  state.threads[thread].held[first] = 1;
  state.threads[thread].phase = Phase::HasOne;
  next.push_back(state);
}

void Machine::try_other_of_both(State state, unsigned thread, States& next) const {
  ThreadState& self = state.threads[thread];
  const unsigned other = lock_number('m', 1u - (operation_of(state, thread).index ^ self.place));
  if (can_lock(state, thread, other)) {
    self.held[other] = 1;
    self.place = 0;
    self.phase = Phase::Ready;
    return next.push_back(advanced(state, thread));
  }
  if (fault_ == Fault::BothInTurn) return;
  self.phase = Phase::HasInVain;
  next.push_back(state);
}

void Machine::give_back_one_of_both(State state, unsigned thread, States& next) const {
  ThreadState& self = state.threads[thread];
  self.held[lock_number('m', operation_of(state, thread).index ^ self.place)] = 0;
  self.place ^= 1;
  self.phase = Phase::Ready;
  next.push_back(state);
}

/// Leaving the queue is one step, getting the mutex back another.
void Machine::expire(const State& state, unsigned thread, States& next) const {
  State after = state;
  if (fault_ == Fault::WaitMayBeSpurious) {
    after.threads[thread].phase = Phase::Notified;
    next.push_back(after);
  }
  if (!is_timed(operation_of(state, thread)) || fault_ == Fault::WaitNeverExpires) return;
  after.threads[thread].phase = Phase::Expired;
  if (fault_ == Fault::ExpiryTakesMutex) return end_wait(after, thread, next);
  next.push_back(after);
}

void Machine::end_wait(State state, unsigned thread, States& next) const {
  const Operation& operation = operation_of(state, thread);
  const unsigned mutex = lock_number('m', operation.index);
  if (!can_lock(state, thread, mutex)) return;
  ThreadState& self = state.threads[thread];
  self.held[mutex] = 1;
  if (operation.verb == Verb::WaitFor) self.registers[operation.reg] = self.phase == Phase::Notified ? 1 : 0;
  next.push_back(advanced(state, thread));
}

void Machine::notify(const State& state, unsigned thread, const Operation& operation, States& next) const {
  const State before = advanced(state, thread);
  std::vector<unsigned> waiters;
  for (unsigned other = 0; other < program_.thread_count; ++other) {
    const bool waiting = state.threads[other].phase == Phase::Waiting;
    if (waiting && operation_of(state, other).index == operation.index) waiters.push_back(other);
  }
  State all = before;
  for (unsigned waiter : waiters) {
    State& one = operation.verb == Verb::NotifyOne ? next.emplace_back(before) : all;
    one.threads[waiter].phase = Phase::Notified;
    if (operation.verb == Verb::NotifyOne && fault_ == Fault::NotifyOneWakesFirst) return;
  }
  if (operation.verb == Verb::NotifyAll || waiters.empty()) next.push_back(all);
}

void Machine::access(State state, unsigned thread, const Operation& operation, States& next) const {
  ThreadState& self = state.threads[thread];
  std::int32_t& atomic = state.atomics[operation.index];
  const int before = atomic;
  const int value = value_of(self, operation.value);
  switch (operation.verb) {
    case Verb::Load: break;
    case Verb::Add: atomic = before + value; break;
    case Verb::CompareExchange: atomic = before == value ? value_of(self, operation.desired) : before; break;
    default: atomic = value;
  }
  if (operation.verb == Verb::CompareExchange) {
    self.registers[operation.reg] = before == value ? 1 : 0;
  } else if (operation.verb != Verb::Store) {
    self.registers[operation.reg] = before;
  }
  next.push_back(advanced(state, thread));
}

void Machine::await(State state, unsigned thread, const Operation& operation, States& next) const {
  ThreadState& self = state.threads[thread];
  const int seen = state.atomics[operation.index];
  if ((seen == value_of(self, operation.value)) != operation.equal) return;
  self.registers[operation.reg] = seen;
  next.push_back(advanced(state, thread));
}

void Machine::watch(State state, unsigned thread, const Operation& operation, States& next) const {
  ThreadState& self = state.threads[thread];
  const int seen = state.atomics[operation.index];
  if (seen == value_of(self, operation.value)) return next.push_back(advanced(state, thread));
  if (std::exchange(self.registers[operation.reg], seen) != seen) next.push_back(state);
}

void Machine::await_either(State state, unsigned thread, const Operation& operation, States& next) const {
  ThreadState& self = state.threads[thread];
  const bool looks_at_first = self.phase == Phase::Ready;
  const int wanted = value_of(self, looks_at_first ? operation.value : operation.desired);
  if (state.atomics[looks_at_first ? 0 : 1] == wanted) return next.push_back(advanced(state, thread));
  if (!looks_at_first) return;
  self.phase = Phase::Undecided;
  next.push_back(state);
}

void Machine::sleep(State state, unsigned thread, const Operation& operation, States& next) const {
  ThreadState& self = state.threads[thread];
  if (state.atomics[operation.index] != value_of(self, operation.value)) return next.push_back(advanced(state, thread));
  self.phase = Phase::Sleeping;
  next.push_back(state);
}

/// Any sleeper, or all of them. Whoever is woken looks again.
void Machine::wake(const State& state, unsigned thread, const Operation& operation, States& next) const {
  State all = advanced(state, thread);
  const State before = all;
  bool any = false;
  for (unsigned other = 0; other < program_.thread_count; ++other) {
    if (state.threads[other].phase != Phase::Sleeping || operation_of(state, other).index != operation.index) continue;
    any = true;
    const bool one_of_them = operation.verb == Verb::WakeOne && fault_ != Fault::WakesAll;
    State& woken = one_of_them ? next.emplace_back(before) : all;
    woken.threads[other].phase = Phase::Ready;
    if (fault_ == Fault::WokenGoesOn) go_on(woken, other);
  }
  if (!any || operation.verb == Verb::WakeAll || fault_ == Fault::WakesAll) next.push_back(all);
}

/// Waiting for a limited time ends in vain only where there is nothing to take.
void Machine::use_semaphore(State state, unsigned thread, const Operation& operation, States& next) const {
  std::int32_t& count = state.semaphores[semaphore_of(operation)];
  const bool taking = operation.verb != Verb::Release && operation.verb != Verb::ReleaseSome;
  const int given = operation.verb == Verb::ReleaseSome && fault_ != Fault::ReleasesOne ? operation.number : 1;
  const bool fails = taking && count == 0;
  const bool full = operation.kind == 'n' && !taking && count == 1;
  if (fails && (operation.verb == Verb::Acquire || fault_ == Fault::TryAcquireBlocks)) return;
  if (full && fault_ != Fault::BinaryNeverWaits) return;
  if (!fails && !full) count += taking ? -1 : given;
  if (has_result(operation.verb)) state.threads[thread].registers[operation.reg] = fails ? 0 : 1;
  next.push_back(advanced(state, thread));
}

/// The last to arrive lets all go.
void Machine::arrive(State state, unsigned thread, const Operation& operation, States& next) const {
  state.threads[thread].phase = Phase::AtBarrier;
  std::vector<unsigned> present;
  for (unsigned other = 0; other < program_.thread_count; ++other) {
    if (state.threads[other].phase != Phase::AtBarrier) continue;
    const Operation& theirs = operation_of(state, other);
    if (theirs.kind == operation.kind && theirs.index == operation.index) present.push_back(other);
  }
  const int expected = program_.initial_value(operation.kind, operation.index);
  if (static_cast<int>(present.size()) == expected || fault_ == Fault::BarrierLetsPass)
    for (unsigned other : present) state = advanced(state, other);
  next.push_back(state);
}

void Machine::enter_once(State state, unsigned thread, const Operation& operation, States& next) const {
  std::uint8_t& once = state.onces[once_of(operation)];
  if (once == 0) {
    once = 1;
    state.threads[thread].phase = Phase::InOnce;
    return next.push_back(state);
  }
  if (once != 2 && fault_ != Fault::OnceDoesNotWait) return;
  if (has_result(operation.verb)) state.threads[thread].registers[operation.reg] = 0;
  next.push_back(advanced(state, thread));
}

void Machine::run_once(State state, unsigned thread, States& next) const {
  const Operation& operation = operation_of(state, thread);
  ++state.atomics[operation.index];
  const bool fails = operation.verb == Verb::OnceFailing;
  state.onces[once_of(operation)] = fails && fault_ != Fault::FailedOnceIsDone ? 0 : 2;
  if (fails) state.threads[thread].registers[operation.reg] = 1;
  next.push_back(advanced(state, thread));
}

}  // namespace random_programs
