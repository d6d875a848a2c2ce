#include "explore/coverage/thread_model.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace norn::coverage {
namespace {

bool gives_back(Op op) { return op == Op::mutex_unlock || op == Op::spin_unlock || op == Op::rwlock_unlock; }

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

ThreadModel::ThreadModel(const Trace& trace) {
  auto links = trace.links;
  for (std::uint32_t i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) follow(links.front());
    if (i == trace.events.size()) break;
    const Event& event = trace.events[i];
    if (takes_lock(event)) take(event, trace.locations[i], i);
    if (gives_back(event.op)) give_back(event.thread, event.object, i);
    state(event.thread).arrival = i + 1;
  }
  find_neighbours();
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

void ThreadModel::take(const Event& event, Location location, std::uint32_t step) {
  ThreadState& thread = state(event.thread);
  LockAction action{};
  action.thread = event.thread;
  action.lock = event.object;
  action.location = location;
  action.shared = event.op == Op::rwlock_read || event.op == Op::rwlock_timed_read;
  action.step = step;
  action.arrival = thread.arrival;
  for (const Held& held : thread.held) add_sorted(action.held, held.lock);
  action.created = thread.created;
  action.ended = thread.ended;
  action.released = UINT32_MAX;
  thread.held.push_back({event.object, actions_.size()});
  actions_.push_back(std::move(action));
}

void ThreadModel::give_back(ThreadId id, const void* lock, std::uint32_t step) {
  std::vector<Held>& held = state(id).held;
  const auto found = std::find_if(held.rbegin(), held.rend(), [lock](const Held& one) { return one.lock == lock; });
  if (found == held.rend()) return;
  actions_[found->action].released = step;
  held.erase(std::next(found).base());
  releases_.push_back({id, lock, step});
}

/// next(p) and prev(p), and which locks were held all the time between.
void ThreadModel::find_neighbours() {
  std::map<std::pair<ThreadId, const void*>, std::size_t> last;
  std::map<ThreadId, std::vector<Release>> releases;
  for (const Release& release : releases_) releases[release.thread].push_back(release);
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    const auto [entry, is_first] = last.try_emplace({actions_[i].thread, actions_[i].lock}, i);
    if (is_first) continue;
    LockAction& previous = actions_[std::exchange(entry->second, i)];
    previous.next = i;
    const std::vector<Release>& own = releases[previous.thread];
    const auto begin = std::lower_bound(own.begin(), own.end(), previous.step + 1,
                                        [](const Release& release, std::uint32_t step) { return release.step < step; });
    for (const void* lock : previous.held) {
      const auto given_back = [&](const Release& release) { return release.lock == lock; };
      const auto end =
          std::find_if(begin, own.end(), [&](const Release& release) { return release.step > actions_[i].step; });
      if (std::none_of(begin, end, given_back)) previous.held_until_next.push_back(lock);
    }
    actions_[i].held_since_previous = previous.held_until_next;
  }
}

bool ThreadModel::precedes(const LockAction& first, const LockAction& second) const {
  for (ThreadId thread = second.thread; thread != no_thread && thread < threads_.size();) {
    const ThreadState& state = threads_[thread];
    if (state.parent == first.thread) return first.created <= state.place;
    thread = state.parent;
  }
  return false;
}

bool ThreadModel::happens_before(const LockAction& first, const LockAction& second) const {
  if (precedes(first, second)) return true;
  return std::find(second.ended.begin(), second.ended.end(), first.thread) != second.ended.end();
}

}  // namespace norn::coverage
