// Runs that go on from the middle of an earlier one (exec/waypoint.hpp).

#include <algorithm>

#include "exec/context.hpp"
#include "exec/output.hpp"
#include "exec/phase.hpp"
#include "exec/scheduler.hpp"
#include "exec/services.hpp"
#include "exec/waypoint.hpp"

namespace norn::exec {
namespace {

/// All of a stack that is in use.
std::span<const std::byte> stack_in_use(const Thread& thread) {
  return {static_cast<const std::byte*>(thread.stack_pointer), static_cast<const std::byte*>(thread.seat.stack_top)};
}

/// Programs can make stacks of their own, and what is on these is not saved.
bool is_on_stack_of(const Thread& thread, const void* place) {
  return place >= thread.seat.stack_limit && place <= thread.seat.stack_top;
}

}  // namespace

void Scheduler::leave_waypoints(Waypoints* waypoints) {
  waypoints_ = waypoints;
  waypoint_at_ = waypoints == nullptr ? Waypoints::never : waypoints->next_step();
}

/// Whoever resumes the run comes out of here, too.
void Scheduler::leave_waypoint() {
  waypoint_at_ = Waypoints::never;
  if (!can_leave_waypoint()) return;
  norn_mark_context(
      &current_->stack_pointer,
      [](void* self) {
        const PhaseScope scope(Phase::norn);
        auto& here = *static_cast<Scheduler*>(self);
        here.save(here.waypoints_->add());
        here.waypoint_at_ = here.waypoints_->next_step();
      },
      this);
}

/// Not if something has happened that is not in the memory of the program, or more than is kept here.
bool Scheduler::can_leave_waypoint() const {
  constexpr std::size_t most_memory = std::size_t{8} << 20;
  std::size_t memory = snapshot_.hot_pages() * page_size;
  for (unsigned i = 0; i < slots_used_; ++i) {
    const Thread& thread = threads_[i];
    const void* const place = &thread == current_ ? __builtin_frame_address(0) : thread.stack_pointer;
    if (!thread.arena.can_go_back() || (thread.alive() && !is_on_stack_of(thread, place))) return false;
    memory += threads_[i].arena.used();
  }
  return memory <= most_memory && can_save_services() && watch_.can_be_resumed() && record_.visible_found == 0;
}

void Scheduler::save(Waypoint& waypoint) {
  waypoint.counts = {record_.steps,          record_.link_count, record_.threads, record_.lock_uses.count(),
                     record_.polled_several, record_.spun,       record_.raced,   record_.entangled};
  waypoint.standpoint = *this;
  waypoint.shared_writes = shared_writes.look();
  waypoint.output = written_output();
  save_services(waypoint.services);
  waypoint.rounds = rounds_.state();
  watch_.save(waypoint.watch);
  MemoryImage& memory = waypoint.memory;
  const auto add = [&memory](std::span<const std::byte> part) { memory.add(part); };
  memory.clear();
  waypoint.hot_pages = snapshot_.hot_pages();
  snapshot_.visit_changing(add);
  waypoint.threads.resize(slots_used_);
  for (unsigned i = 0; i < slots_used_; ++i) {
    const Thread& thread = threads_[i];
    Waypoint::ThreadPart& part = waypoint.threads[i];
    copy(thread, part.state);
    if (thread.status == Status::unused) continue;
    part.name = own_names_[i];
    part.arena = thread.arena.mark();
    part.held = thread.held;
    part.stack_accesses = thread.stack_accesses;
    part.keys.assign(thread.keys, thread.keys + thread.keys_used);
    memory.add(thread.arena.memory());
    snapshot_.visit_thread_locals(thread, add);
    if (thread.alive() || &thread == current_) memory.add(stack_in_use(thread));
  }
}

void Scheduler::resume(const Waypoint& from, std::span<const Choice> prefix, Strategy& strategy) {
  go_back(from);
  set_out(prefix, strategy, Scrutiny::ordinary);
  make_current(*current_);
  shared_writes.set(from.shared_writes);
  run_from(*current_);
}

void Scheduler::go_back(const Waypoint& from) {
  const auto is_there = [&from](unsigned i) {
    return i < from.threads.size() && from.threads[i].state.status != Status::unused;
  };
  for (unsigned i = 0; i < slots_used_; ++i)
    if (!is_there(i)) discard(threads_[i]);
  for (unsigned i = 0; i < from.threads.size(); ++i) {
    Thread& thread = threads_[i];
    const Waypoint::ThreadPart& part = from.threads[i];
    if (!is_there(i)) continue;
    for (std::size_t key = part.keys.size(); key < thread.keys_used; ++key) thread.keys[key] = nullptr;
    std::copy(part.keys.begin(), part.keys.end(), thread.keys);
    copy(part.state, thread);
    own_names_[i] = part.name;
    thread.arena.go_back(part.arena);
    thread.held = part.held;
    thread.stack_accesses = part.stack_accesses;
  }
  from.memory.put_back();
  static_cast<Standpoint&>(*this) = from.standpoint;
  record_.steps = from.counts.steps;
  record_.link_count = from.counts.links;
  record_.threads = from.counts.threads;
  record_.lock_uses.forget_from(from.counts.lock_uses);
  record_.polled_several = from.counts.polled_several;
  record_.spun = from.counts.spun;
  record_.raced = from.counts.raced;
  record_.entangled = from.counts.entangled;
  rounds_.resume(from.rounds);
  watch_.resume(from.watch);
  shared_writes.set(0);
}

}  // namespace norn::exec
