// What a run did, as threads that do one step after the other: what each step needs, and until when locks are held.

#include "explore/dpor/linearizations.hpp"

#include <algorithm>

namespace norn::dpor {

void Linearizations::read(const Trace& trace, bool ends) {
  begin(trace);
  ends_ = ends;
  ending_ = trace.outcome->thread;
  auto links = trace.links;
  for (std::uint32_t i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) follow(links.front());
    if (i == trace.events.size()) break;
    const Event& event = trace.events[i];
    // Waiting for a condition and giving back its mutex are one step.
    if (event.op == Op::mutex_unlock && i != 0 && trace.events[i - 1].op == Op::condition_wait &&
        trace.events[i - 1].thread == event.thread)
      threads_[event.thread].steps.back().goes_on = true;
    add(event);
  }
  for (const Pending& pending : trace.pending) add_pending(pending);
  for (ThreadId thread = 0; thread < width_; ++thread) find_harmless(thread);
}

void Linearizations::begin(const Trace& trace) {
  ++run_;
  takes_over_ = false;
  width_ = trace.outcome->thread == no_thread ? ThreadId{1} : static_cast<ThreadId>(trace.outcome->thread + 1);
  const auto make_room = [this](ThreadId thread) { width_ = std::max(width_, static_cast<ThreadId>(thread + 1)); };
  for (const Link& link : trace.links)
    if (link.kind == LinkKind::created) make_room(link.other);
  for (const Event& event : trace.events) make_room(event.thread);
  if (threads_.size() < width_) threads_.resize(width_);
  for (ThreadSteps& thread : threads_) {
    thread.steps.clear();
    thread.current.clear();
    thread.events = thread.harmless = 0;
    thread.joiners.clear();
    thread.releases.clear();
    thread.sleep = Op::none;
  }
  needs_.clear();
  spurious_wakeups_.clear();
}

std::uint32_t Linearizations::number_of(const void* object) {
  const std::uint32_t number = numbers_.try_emplace(object, static_cast<std::uint32_t>(numbers_.size())).first->second;
  if (number >= objects_.size()) objects_.resize(number + 1U);
  Object& entry = objects_[number];
  if (entry.run == run_) return number;
  entry.run = run_;
  entry.last_write = {};
  entry.waiter = no_thread;
  entry.several_wait = false;
  entry.has_state = false;
  entry.reads.clear();
  entry.holds.clear();
  entry.values.clear();
  entry.events.clear();
  return number;
}

void Linearizations::merge(std::vector<Need>& into, std::span<const Need> from) {
  for (const Need& need : from) {
    const auto is_same = [&need](const Need& other) { return other.thread == need.thread; };
    const auto known = std::find_if(into.begin(), into.end(), is_same);
    if (known == into.end()) {
      into.push_back(need);
    } else {
      known->count = std::max(known->count, need.count);
    }
  }
}

void Linearizations::follow(const Link& link) {
  ThreadSteps& thread = threads_[link.thread];
  switch (link.kind) {
    case LinkKind::created: threads_[link.other].current = thread.current; return;
    case LinkKind::joined:
      threads_[link.other].joiners.push_back({link.thread, thread.events});
      return merge(thread.current, threads_[link.other].current);
    case LinkKind::met: return merge(thread.current, threads_[link.other].current);
    case LinkKind::released:
      thread.releases.emplace_back(thread.events, number_of(link.object));
      return give_back(objects_[number_of(link.object)], link.thread, thread.current);
    case LinkKind::sent:
    case LinkKind::unordered:
    case LinkKind::grouped:
    case LinkKind::deposited:
    case LinkKind::withdrew:
    case LinkKind::opened: return;  // see why_unbounded
    case LinkKind::woke: break;
  }
  // That a thread it joins has ended says another link.
  if (link.op == Op::thread_join) return;
  thread.harmless = thread.events;
  ThreadSteps& other = threads_[link.other];
  other.sleep = link.op;
  other.woken = {link.thread, thread.events};
  merge(other.current, thread.current);
}

namespace {

/// Whether an operation waits for the state of its object, or for others at it.
bool can_wait(Op op) {
  switch (op) {
    case Op::barrier_meet:
    case Op::mutex_lock:
    case Op::condition_relock:
    case Op::spin_lock:
    case Op::rwlock_read:
    case Op::rwlock_write:
    case Op::semaphore_wait:
    case Op::once: return true;
    default: return false;
  }
}

}  // namespace

/// From where on a thread does nothing that others may wait for.
void Linearizations::find_harmless(ThreadId id) {
  ThreadSteps& thread = threads_[id];
  const auto others_wait = [&](std::uint32_t object) {
    return objects_[object].several_wait || (objects_[object].waiter != no_thread && objects_[object].waiter != id);
  };
  for (std::uint32_t i = thread.harmless; i < thread.steps.size(); ++i)
    if (others_wait(thread.steps[i].object)) thread.harmless = i + 1;
  for (const auto& [events, object] : thread.releases)
    if (others_wait(object)) thread.harmless = std::max(thread.harmless, events);
  // Whoever does nothing after it has joined the thread is not disturbed.
  std::erase_if(thread.joiners,
                [this](const Need& joiner) { return joiner.count >= threads_[joiner.thread].steps.size(); });
}

Linearizations::Step& Linearizations::add_step(ThreadSteps& thread, Op op, const void* object) {
  const auto ready = static_cast<std::uint32_t>(needs_.size());
  needs_.insert(needs_.end(), thread.current.begin(), thread.current.end());
  const auto order = static_cast<std::uint32_t>(needs_.size());
  thread.steps.push_back(
      {op, true, false, false, false, thread.sleep, thread.woken, number_of(object), ready, order, order});
  thread.sleep = Op::none;
  Object& on = objects_[thread.steps.back().object];
  const auto id = static_cast<ThreadId>(&thread - threads_.data());
  if (can_wait(op)) {
    on.several_wait |= on.waiter != no_thread && on.waiter != id;
    on.waiter = id;
  }
  return thread.steps.back();
}

void Linearizations::add(const Event& event) {
  ThreadSteps& thread = threads_[event.thread];
  Step& step = add_step(thread, event.op, event.object);
  Object& object = objects_[step.object];
  if (object.last_write.thread != no_thread) needs_.push_back(object.last_write);
  if (event.effect == Effect::write) needs_.insert(needs_.end(), object.reads.begin(), object.reads.end());
  step.end = static_cast<std::uint32_t>(needs_.size());
  const Need self{event.thread, ++thread.events};
  object.events.push_back(self);
  step.writes = event.effect == Effect::write;
  if (step.writes) {
    object.last_write = self;
    object.reads.clear();
  } else {
    object.reads.push_back(self);
  }
  thread.current.assign(1, self);
  const bool sleeps = event.op == Op::condition_sleep || event.op == Op::condition_timed_sleep;
  if (sleeps && event.alternative == wakes_spuriously) spurious_wakeups_.push_back(self);
  note_lock(event, object, self.count);
  note_value(event, object, self.count);
}

void Linearizations::add_pending(const Pending& pending) {
  Step& step = add_step(threads_[pending.thread], pending.op, pending.object);
  step.happens = false;
  step.enabled_at_end = pending.enabled;
}

void Linearizations::note_lock(const Event& event, Object& object, std::uint32_t count) {
  const Need self{event.thread, count};
  const bool writes = event.effect == Effect::write;
  switch (event.op) {
    case Op::mutex_lock:
    case Op::mutex_try_lock:
    case Op::mutex_timed_lock:
    case Op::condition_relock:
    case Op::spin_lock:
    case Op::spin_try_lock:
    case Op::rwlock_write:
    case Op::rwlock_try_write:
    case Op::rwlock_timed_write:
    case Op::once:
      if (writes) take(object, event.thread, count, false);
      return;
    case Op::rwlock_read:
    case Op::rwlock_try_read:
    case Op::rwlock_timed_read:
      if ((event.before & state::is_written) == 0) take(object, event.thread, count, true);
      return;
    case Op::mutex_unlock:
    case Op::spin_unlock:
    case Op::rwlock_unlock:
    case Op::atomic_store:  // the guard of a local static
      return give_back(object, event.thread, {&self, 1});
    default: return;
  }
}

/// A mutex that its owner takes again is held as before.
void Linearizations::take(Object& object, ThreadId thread, std::uint32_t count, bool shared) {
  for (const Hold& hold : object.holds) {
    if (hold.released || (hold.shared && shared)) continue;
    takes_over_ |= hold.thread != thread;
    return;
  }
  object.holds.push_back({thread, count, shared, false, 0, 0});
}

Linearizations::Hold* Linearizations::held_by(Object& object, ThreadId thread) {
  for (auto hold = object.holds.rbegin(); hold != object.holds.rend(); ++hold)
    if (hold->thread == thread && !hold->released) return &*hold;
  return nullptr;
}

void Linearizations::give_back(Object& object, ThreadId thread, std::span<const Need> needs) {
  Hold* hold = held_by(object, thread);
  if (hold == nullptr) return;
  hold->released = true;
  hold->ready = static_cast<std::uint32_t>(needs_.size());
  needs_.insert(needs_.end(), needs.begin(), needs.end());
  hold->end = static_cast<std::uint32_t>(needs_.size());
}

/// Each operation on a semaphore says what the one before it left.
void Linearizations::note_value(const Event& event, Object& object, std::uint32_t count) {
  const bool is_semaphore = event.op >= Op::semaphore_wait && event.op <= Op::semaphore_value;
  if (!is_semaphore) return;
  if (!object.has_state) object.first_state = event.before;
  object.has_state = true;
  if (!object.values.empty() && !object.values.back().known) {
    object.values.back().after = event.before;
    object.values.back().known = true;
  }
  const bool takes = event.op != Op::semaphore_post;
  if (event.effect == Effect::write) object.values.push_back({{event.thread, count}, event.before - 1, takes});
}

}  // namespace norn::dpor
