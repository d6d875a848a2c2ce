// The fewest preemptions among all linearizations: a search over what has happened and who moved last, first with no
// preemption, then with one more each time. What has happened are the first events of each thread, so a state is a
// number for each thread, and each is looked at once.

#include <algorithm>

#include "explore/dpor/linearizations.hpp"
#include "support/hash.hpp"

namespace norn::dpor {

/// What is not in the part in question is not waited for.
bool Linearizations::met(std::uint32_t from, std::uint32_t to) const {
  return std::all_of(needs_.begin() + from, needs_.begin() + to,
                     [this](const Need& need) { return has(need) || need.count > target_[need.thread]; });
}

bool Linearizations::is_held(const Hold& hold) const {
  if (!has({hold.thread, hold.count})) return false;
  return !hold.released || !std::all_of(needs_.begin() + hold.ready, needs_.begin() + hold.end,
                                        [this](const Need& need) { return has(need); });
}

/// Whether the lock that a step is to take is not to be had.
bool Linearizations::is_locked_out(const Step& step, ThreadId thread) const {
  const bool is_mutex = step.op == Op::mutex_lock || step.op == Op::condition_relock;
  const bool reads = step.op == Op::rwlock_read;
  if (!is_mutex && !reads && step.op != Op::spin_lock && step.op != Op::rwlock_write && step.op != Op::once)
    return false;
  for (const Hold& hold : objects_[step.object].holds) {
    if ((reads && hold.shared) || !is_held(hold)) continue;
    // Nobody else changes what the owner will find: if it could take it again, it can.
    return !is_mutex || hold.thread != thread || (!step.happens && !step.enabled_at_end);
  }
  return false;
}

/// Whether a semaphore is not zero.
bool Linearizations::has_value(const Step& step) const {
  const Object& object = objects_[step.object];
  for (auto write = object.values.rbegin(); write != object.values.rend(); ++write)
    if (has(write->event)) return write->known ? write->after != 0 : step.enabled_at_end;
  return object.has_state ? object.first_state != 0 : step.enabled_at_end;
}

/// How many others wake up so is not known of a part.
bool Linearizations::may_wake_spuriously() const {
  const auto used = std::count_if(spurious_wakeups_.begin(), spurious_wakeups_.end(),
                                  [this](const Need& event) { return has(event); });
  return whole_ && static_cast<std::uint64_t>(used) < spurious_;
}

namespace {

/// Whether the operation writes whenever it happens.
bool always_writes(Op op) {
  switch (op) {
    case Op::mutex_lock:
    case Op::mutex_unlock:
    case Op::condition_relock:
    case Op::condition_wait:
    case Op::condition_signal:
    case Op::condition_broadcast:
    case Op::spin_lock:
    case Op::spin_unlock:
    case Op::rwlock_write:
    case Op::rwlock_unlock:
    case Op::semaphore_wait:
    case Op::semaphore_post:
    case Op::barrier_arrive:
    case Op::atomic_store:
    case Op::atomic_update: return true;
    default: return false;
  }
}

}  // namespace

/// Whether a thread that has done its part would write next, and an event of the part on the same object has to come
/// first: then the thread does nothing before that. All writes on the object until then are in the part, but readers of
/// a lock only if what comes first is a writer.
bool Linearizations::must_let_pass(ThreadId thread) const {
  const auto& steps = threads_[thread].steps;
  if (thread == moved_.thread || target_[thread] >= steps.size()) return false;
  const Step& step = steps[target_[thread]];
  if (!always_writes(step.op) || step.sleep != Op::none) return false;
  const bool only_writers = step.op == Op::rwlock_write;
  if (moved_.index != 0 && counts_[moved_.thread] < moved_.index && !moved_.expires) {
    const Step& moved = threads_[moved_.thread].steps[moved_.index - 1];
    if (moved.object == step.object && (!only_writers || always_writes(moved.op))) return true;
  }
  const auto comes_first = [&](const Need& event) {
    const bool was_moved = event.thread == moved_.thread && event.count == moved_.index;
    if (was_moved || event.count > target_[event.thread] || has(event)) return false;
    return !only_writers || threads_[event.thread].steps[event.count - 1].writes;
  };
  const auto& events = objects_[step.object].events;
  return std::any_of(events.rbegin(), events.rend(), comes_first);
}

/// Whether a thread could move now, whatever came of it. Of what is not known, no.
bool Linearizations::is_enabled(ThreadId thread) const {
  const auto& steps = threads_[thread].steps;
  const std::uint32_t next = counts_[thread];
  if (!whole_ && next >= target_[thread] && !must_let_pass(thread)) return false;
  if (is_moved(thread) && moved_.expires) return true;
  if (next >= steps.size()) return false;
  const Step& step = steps[next];
  if (step.sleep != Op::none && !has(step.woken)) {
    if (step.sleep == Op::condition_timed_sleep || step.sleep == Op::address_timed_sleep) return true;
    return step.sleep == Op::condition_sleep && may_wake_spuriously();
  }
  const auto all_have = [this](std::uint32_t from, std::uint32_t to) {
    return std::all_of(needs_.begin() + from, needs_.begin() + to, [this](const Need& need) { return has(need); });
  };
  if (!all_have(step.ready, step.order)) return false;
  switch (step.op) {
    case Op::semaphore_wait: return has_value(step);
    case Op::condition_sleep: return may_wake_spuriously();
    case Op::address_sleep:
    case Op::barrier_sleep:
    case Op::thread_join:
    case Op::thread_create:
    case Op::yield: return false;
    default: return !is_locked_out(step, thread);
  }
}

/// Whether the next event of a thread can be the next of all.
bool Linearizations::is_possible(ThreadId thread) const {
  const std::uint32_t next = counts_[thread];
  if (next >= target_[thread]) return false;
  const auto& steps = threads_[thread].steps;
  if (is_moved(thread)) {
    for (ThreadId other = 0; other < width_; ++other)
      if (other != thread && counts_[other] < moved_.needs[other]) return false;
    return moved_.expires || !is_locked_out(steps[next], thread);
  }
  if (moved_.before.thread == thread && moved_.before.count == next + 1 && counts_[moved_.thread] < moved_.index)
    return false;
  const Step& step = steps[next];
  return met(step.ready, step.end) && !is_locked_out(step, thread);
}

/// Whether the run has ended before all has happened.
bool Linearizations::ends_too_early() const {
  if (!whole_ || !ends_ || ending_ == no_thread) return false;
  const bool is_there = std::all_of(threads_[ending_].current.begin(), threads_[ending_].current.end(),
                                    [this](const Need& need) { return has(need); });
  return is_there && !std::equal(target_.begin(), target_.end(), counts_.begin());
}

bool Linearizations::within(unsigned bound) {
  whole_ = true;
  moved_ = {};
  target_.resize(width_);
  for (unsigned i = 0; i < width_; ++i) target_[i] = threads_[i].events;
  return search(bound);
}

bool Linearizations::part_within(const Clock* part, const Moved& moved, unsigned bound) {
  whole_ = false;
  moved_ = moved;
  target_.assign(part, part + width_);
  // A thread that has nothing in the run cannot have an event to move, except the first.
  for (ThreadId i = 0; i < width_; ++i)
    if (target_[i] > threads_[i].steps.size()) return true;
  return search(bound) || !is_feasible();
}

bool Linearizations::search(unsigned bound) {
  visited_.clear();
  std::fill(table_.begin(), table_.end(), 0);
  open_.clear();
  later_.clear();
  counts_.assign(width_ + 1, 0);
  push(open_, no_thread);
  for (unsigned preemptions = 0; preemptions <= bound; ++preemptions) {
    while (!open_.empty()) {
      counts_.assign(open_.end() - (width_ + 1), open_.end());
      open_.resize(open_.size() - (width_ + 1));
      if (!visit()) continue;
      if (std::equal(target_.begin(), target_.end(), counts_.begin())) return true;
      expand(static_cast<ThreadId>(counts_[width_]));
    }
    open_.swap(later_);
  }
  return false;
}

/// The thread that moved last is tried last, so that it is looked at first.
void Linearizations::expand(ThreadId last) {
  const bool goes_on = last != no_thread && is_enabled(last);
  if (complete_one(last, goes_on)) return;
  const auto move = [&](ThreadId thread) {
    if (!is_possible(thread)) return;
    const std::uint32_t moved = advance(thread);
    if (moved != 0 && !ends_too_early()) push(thread == last || !goes_on ? open_ : later_, thread);
    counts_[thread] -= moved;
  };
  for (ThreadId thread = 0; thread < width_; ++thread)
    if (thread != last) move(thread);
  if (last != no_thread) move(last);
}

/// Whether a thread can do all that is left of its part at once, without a preemption then, and nobody is concerned: no
/// other thread could go on, or had to wait, because of that. Then nothing is better than doing so now: in any run that
/// does it later, it can be moved here, which spares switches and costs none.
bool Linearizations::completes(ThreadId thread) {
  const ThreadSteps& steps = threads_[thread];
  if (counts_[thread] >= target_[thread] || counts_[thread] < steps.harmless) return false;
  if (!spurious_wakeups_.empty()) return false;  // of which there are so many for all threads together
  const auto is_waited_for = [&](const Need& need) { return need.thread == thread; };
  const auto& ending = threads_[ending_ == no_thread ? 0 : ending_].current;
  if (whole_ && ends_ && (thread == ending_ || std::any_of(ending.begin(), ending.end(), is_waited_for))) return false;
  const auto does_not_wait_yet = [this](const Need& joiner) { return counts_[joiner.thread] != joiner.count; };
  if (std::any_of(steps.joiners.begin(), steps.joiners.end(), does_not_wait_yet)) return false;
  while (counts_[thread] < target_[thread])
    if (!is_possible(thread) || advance(thread) == 0) return false;
  return !is_enabled(thread);
}

/// Goes on with nothing but such a thread, if there is one to which the turn can go without a preemption.
bool Linearizations::complete_one(ThreadId last, bool goes_on) {
  for (ThreadId thread = 0; thread < width_; ++thread) {
    if (goes_on && thread != last) continue;
    const std::uint32_t before = counts_[thread];
    const bool does = completes(thread);
    if (does) push(open_, thread);
    counts_[thread] = before;
    if (does) return true;
  }
  return false;
}

/// One step of a thread: how many events that were, 0 if its second part is not possible.
std::uint32_t Linearizations::advance(ThreadId thread) {
  const bool goes_on = !is_moved(thread) && threads_[thread].steps[counts_[thread]].goes_on;
  ++counts_[thread];
  if (!goes_on || counts_[thread] == target_[thread]) return 1;
  if (!is_possible(thread)) {
    --counts_[thread];
    return 0;
  }
  ++counts_[thread];
  return 2;
}

/// Whether there is any linearization at all.
bool Linearizations::is_feasible() {
  counts_.assign(width_ + 1, 0);
  for (bool moves = true; moves;) {
    moves = false;
    for (ThreadId thread = 0; thread < width_; ++thread)
      while (is_possible(thread) && advance(thread) != 0) moves = true;
  }
  return std::equal(target_.begin(), target_.end(), counts_.begin());
}

void Linearizations::push(std::vector<std::uint32_t>& states, ThreadId last) {
  states.insert(states.end(), counts_.begin(), counts_.begin() + width_);
  states.push_back(last);
}

std::uint64_t Linearizations::hash(const std::uint32_t* state) const {
  std::uint64_t value = 0;
  for (unsigned i = 0; i <= width_; ++i) value = combine(value, state[i]);
  return value;
}

/// Whether the state is new.
bool Linearizations::visit() {
  const std::size_t size = width_ + 1;
  if (visited_.size() / size * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash(counts_.data()) & mask;
  for (; table_[i] != 0; i = (i + 1) & mask)
    if (std::equal(counts_.begin(), counts_.end(), visited_.begin() + (table_[i] - 1) * size)) return false;
  visited_.insert(visited_.end(), counts_.begin(), counts_.end());
  table_[i] = static_cast<std::uint32_t>(visited_.size() / size);
  return true;
}

void Linearizations::grow() {
  const std::size_t size = width_ + 1;
  table_.assign(std::max<std::size_t>(64, table_.size() * 2), 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t state = 0; state < visited_.size() / size; ++state) {
    std::size_t i = hash(&visited_[state * size]) & mask;
    while (table_[i] != 0) i = (i + 1) & mask;
    table_[i] = state + 1;
  }
}

}  // namespace norn::dpor
