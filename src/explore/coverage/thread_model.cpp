#include "explore/coverage/thread_model.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "trace/dependency.hpp"

namespace norn::coverage {
namespace {

void add_sorted(Lockset& set, const void* lock) {
  const auto at = std::lower_bound(set.begin(), set.end(), lock);
  if (at == set.end() || *at != lock) set.insert(at, lock);
}

}  // namespace

bool is_lock_operation(Op op) {
  switch (op) {
    case Op::mutex_lock:
    case Op::mutex_try_lock:
    case Op::mutex_timed_lock:
    case Op::spin_lock:
    case Op::spin_try_lock:
    case Op::rwlock_read:
    case Op::rwlock_timed_read:
    case Op::rwlock_write:
    case Op::rwlock_try_write:
    case Op::rwlock_timed_write:
    case Op::monitor_enter:
    case Op::condition_relock: return true;
    default: return false;
  }
}

bool takes_lock(const Event& event) {
  switch (event.op) {
    case Op::mutex_try_lock:
    case Op::spin_try_lock:
    case Op::rwlock_try_write: return event.effect == Effect::write;  // one that fails changes nothing
    case Op::mutex_timed_lock:
    case Op::rwlock_timed_read:
    case Op::rwlock_timed_write: return event.alternative != expires;
    default: return is_lock_operation(event.op);
  }
}

bool is_access(Op op) {
  switch (op) {
    case Op::atomic_load:
    case Op::atomic_store:
    case Op::atomic_update:
    case Op::atomic_compare_exchange:
    case Op::plain_read:
    case Op::plain_write: return true;
    default: return false;
  }
}

bool reads_variable(Op op) { return is_access(op) && op != Op::atomic_store && op != Op::plain_write; }
bool writes_variable(const Event& event) { return is_access(event.op) && event.effect == Effect::write; }

ThreadModel::ThreadModel(const Trace& trace, bool with_accesses) {
  auto links = trace.links;
  for (std::uint32_t i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) follow(links.front());
    if (i == trace.events.size()) break;
    const Event& event = trace.events[i];
    if (takes_lock(event)) take(event, trace.locations[i], i);
    if (gives_back(event.op)) give_back(event.thread, event.object, i);
    if (with_accesses && is_access(event.op)) accesses_.push_back(action_of(event, trace.locations[i], i));
    state(event.thread).arrival = i + 1;
  }
  find_neighbours(actions_, false);
}

std::vector<ThreadAction> ThreadModel::accesses(bool only_writes) const {
  std::vector<ThreadAction> actions = accesses_;
  find_neighbours(actions, only_writes);
  return actions;
}

ThreadModel::ThreadState& ThreadModel::state(ThreadId thread) {
  if (threads_.size() <= thread) threads_.resize(thread + std::size_t{1});
  return threads_[thread];
}

void ThreadModel::follow(const Link& link) {
  switch (link.kind) {
    case LinkKind::created: {
      state(std::max(link.thread, link.other));  // both are there now
      ThreadState& child = state(link.other);
      child.parent = link.thread;
      child.place = state(link.thread).created++;
      child.arrival = link.step;
      child.ended = state(link.thread).ended;
      return;
    }
    case LinkKind::joined: {
      const std::vector<ThreadId> theirs = state(link.other).ended;
      std::vector<ThreadId>& ended = state(link.thread).ended;
      ended.push_back(link.other);
      ended.insert(ended.end(), theirs.begin(), theirs.end());
      return;
    }
    case LinkKind::released: return give_back(link.thread, link.object, link.step);
    default: return;
  }
}

ThreadAction ThreadModel::action_of(const Event& event, Location location, std::uint32_t step) {
  const ThreadState& thread = state(event.thread);
  ThreadAction action{};
  action.thread = event.thread;
  action.object = event.object;
  action.location = location;
  action.reads = reads_variable(event.op) || event.op == Op::rwlock_read || event.op == Op::rwlock_timed_read;
  action.writes = writes_variable(event);
  action.step = step;
  action.arrival = thread.arrival;
  for (const Held& held : thread.held) add_sorted(action.held, held.lock);
  action.created = thread.created;
  action.ended = thread.ended;
  action.released = UINT32_MAX;
  return action;
}

void ThreadModel::take(const Event& event, Location location, std::uint32_t step) {
  actions_.push_back(action_of(event, location, step));
  state(event.thread).held.push_back({event.object, actions_.size() - 1});
}

void ThreadModel::give_back(ThreadId id, const void* lock, std::uint32_t step) {
  std::vector<Held>& held = state(id).held;
  const auto found = std::find_if(held.rbegin(), held.rend(), [lock](const Held& one) { return one.lock == lock; });
  if (found == held.rend()) return;
  actions_[found->action].released = step;
  held.erase(std::next(found).base());
  if (releases_.size() <= id) releases_.resize(id + std::size_t{1});
  releases_[id].push_back({lock, step});
}

/// next(p) and prev(p), and which locks were held all the time between.
void ThreadModel::find_neighbours(std::vector<ThreadAction>& actions, bool only_writes) const {
  // By thread and object: the last neighbour, and what came after it.
  std::map<std::pair<ThreadId, const void*>, std::vector<std::size_t>> since;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    std::vector<std::size_t>& before = since[{actions[i].thread, actions[i].object}];
    const bool is_neighbour = !only_writes || actions[i].writes;
    if (!before.empty() && (!only_writes || actions[before.front()].writes))
      actions[i].held_since_previous = held_between(actions[before.front()], actions[i]);
    if (is_neighbour) {
      for (const std::size_t earlier : before) {
        actions[earlier].next = i;
        actions[earlier].held_until_next = held_between(actions[earlier], actions[i]);
      }
      before.clear();
    }
    before.push_back(i);
  }
}

/// Both are of one thread.
Lockset ThreadModel::held_between(const ThreadAction& first, const ThreadAction& second) const {
  if (first.thread >= releases_.size()) return first.held;
  Lockset held;
  const std::vector<Release>& own = releases_[first.thread];
  const auto is_before = [](const Release& release, std::uint32_t step) { return release.step < step; };
  const auto begin = std::lower_bound(own.begin(), own.end(), first.step + 1, is_before);
  const auto end = std::lower_bound(begin, own.end(), second.step + 1, is_before);
  for (const void* lock : first.held)
    if (std::none_of(begin, end, [lock](const Release& release) { return release.lock == lock; })) held.push_back(lock);
  return held;
}

bool ThreadModel::precedes(const ThreadAction& first, const ThreadAction& second) const {
  for (ThreadId thread = second.thread; thread != no_thread && thread < threads_.size();) {
    const ThreadState& state = threads_[thread];
    if (state.parent == first.thread) return first.created <= state.place;
    thread = state.parent;
  }
  return false;
}

bool ThreadModel::happens_before(const ThreadAction& first, const ThreadAction& second) const {
  if (precedes(first, second)) return true;
  return std::find(second.ended.begin(), second.ended.end(), first.thread) != second.ended.end();
}

}  // namespace norn::coverage
