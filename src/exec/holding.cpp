// Who holds which locks, and in which order they were taken.

#include <algorithm>

#include "exec/objects.hpp"
#include "exec/scheduler.hpp"
#include "support/address.hpp"
#include "trace/dependency.hpp"

namespace norn::exec {
namespace {

/// Held like that, others can have it, too.
bool is_share(Op op) { return op == Op::rwlock_read; }

}  // namespace

void Scheduler::took(const void* lock, Op op, const void* site) {
  watch_.acquired(lock);
  if (!current_->held.empty() && !may_go_without(event().op)) note_lock_order(lock, op, site);
  const bool is_mutex = op == Op::mutex_lock || op == Op::condition_relock;
  const bool robust = is_mutex && Mutex(const_cast<void*>(lock)).robust();
  current_->held.push_back({lock, site, op, record_.steps - 1, robust});
  ++locks_held_;
}

/// Edges stay for the whole exploration: one run shows the one order, another run the other.
void Scheduler::note_lock_order(const void* lock, Op op, const void* site) {
  const auto& held = current_->held;
  for (const HeldLock& one : held) {
    // What is taken together is taken in no order.
    if (has_as_part(*current_, lockable(one))) continue;
    analysis::LockEdge edge{current_->id,
                            one.object,
                            lock,
                            one.site,
                            site,
                            one.step,
                            record_.steps - 1,
                            record_.link_count,
                            current_->lineage,
                            is_share(one.op),
                            is_share(op)};
    for (const HeldLock& other : held) {
      if (other.object == one.object || edge.guard_count == analysis::max_guards) continue;
      if (is_share(other.op)) edge.shares |= 1U << edge.guard_count;
      edge.guards[edge.guard_count++] = other.object;
    }
    const std::span<analysis::LockEdge> known(record_.lock_edges, record_.lock_edge_count);
    const auto is_same = [&edge](const analysis::LockEdge& other) { return edge.same_as(other); };
    if (one.object == lock || record_.lock_edge_count == max_lock_edges) continue;
    if (std::none_of(known.begin(), known.end(), is_same)) record_.lock_edges[record_.lock_edge_count++] = edge;
  }
}

bool Scheduler::holds(const Thread& thread, const void* lock) {
  const auto is_it = [lock](const HeldLock& one) { return one.object == lock; };
  return std::any_of(thread.held.begin(), thread.held.end(), is_it);
}

const void* Scheduler::held_within(const void* block, std::size_t size) const {
  if (locks_held_ == 0) return nullptr;
  const auto is_inside = [=](const HeldLock& lock) { return number(lock.object) - number(block) < size; };
  for (unsigned i = 0; i < slots_used_; ++i) {
    const auto& held = threads_[i].held;
    const auto lock = std::find_if(held.begin(), held.end(), is_inside);
    if (threads_[i].alive() && lock != held.end()) return lock->object;
  }
  return nullptr;
}

bool Scheduler::is_held(const void* lock) const {
  return std::any_of(threads_.begin(), threads_.begin() + slots_used_,
                     [lock](const Thread& thread) { return thread.alive() && holds(thread, lock); });
}

void Scheduler::put_down(const void* lock) {
  auto& held = current_->held;
  const std::size_t before = held.size();
  if (!held.empty() && held.back().object == lock) [[likely]] {
    held.pop_back();
  } else {
    const auto is_it = [lock](const HeldLock& one) { return one.object == lock; };
    const auto last = std::find_if(held.rbegin(), held.rend(), is_it);
    if (last != held.rend()) held.erase(std::next(last).base());
  }
  locks_held_ -= static_cast<unsigned>(before - held.size());
  publish_time(lock);
}

}  // namespace norn::exec
