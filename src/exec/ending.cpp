// How runs end, what they leave for whoever explains it, and what must hold until then.

#include <fmt/format.h>

#include <algorithm>

#include "exec/backtrace.hpp"
#include "exec/leaks.hpp"
#include "exec/objects.hpp"
#include "exec/output.hpp"
#include "exec/phase.hpp"
#include "exec/scheduler.hpp"

extern "C" [[gnu::noinline, gnu::visibility("default")]] void norn_bug_found() { asm volatile(""); }

namespace norn::exec {

void Scheduler::end_run(End end, const void* site, std::string_view message, const void* object) {
  finish(end, *current_, site, message, object);
}

/// `culprit` need not be the thread that notices. `stack`: if not that of the thread as it is now.
void Scheduler::finish(End end, const Thread& culprit, const void* site, std::string_view message, const void* object,
                       const CallStack* stack) {
  Outcome& outcome = record_.outcome;
  outcome.end = end;
  outcome.thread = culprit.id;
  outcome.site = site;
  outcome.object = object;
  outcome.set_message(message);
  if (is_bug(end)) {
    list_held();
    if (detailed_ && stack != nullptr) record_.failure_stack = *stack;
    if (detailed_ && stack == nullptr) capture_stack(record_.failure_stack);
    end_output(false);
    norn_bug_found();
  }
  executor_.leave(*current_);
  __builtin_unreachable();
}

/// What counts is where the thread took it.
void Scheduler::end_with_kept_lock(const HeldLock& lock) {
  finish(End::misuse, *current_, lock.site, "the thread ends while it holds a lock that it never gives back",
         lock.object, &stacks_[lock.step]);
}

void Scheduler::cut_uncontrolled(std::string_view what, const void* site) {
  record_.note(what);
  end_run(End::uncontrolled, site, what);
}

void Scheduler::nobody_can_move() {
  const auto alive = [](const Thread& thread) { return thread.alive(); };
  const auto first = std::find_if(threads_.begin(), threads_.begin() + slots_used_, alive);
  if (first == threads_.begin() + slots_used_) end_run(End::finished, nullptr, {});
  give_up_unless_stuck();
  list_blocked();
  if (spinning_ == 0) finish(End::deadlock, *first, first->pending.site, {});
  // They were back where they had been, and in other runs those who could move did.
  if (lets_others_move_) end_run(End::repeats, current_->pending.site, {});
  const auto spins = [](const Thread& thread) { return thread.spinning; };
  const auto spinner = std::find_if(threads_.begin(), threads_.end(), spins);
  finish(End::livelock, *spinner, spinner->pending.site, "a thread waits in a loop for a change that cannot come");
}

/// Threads that could go on if Norn let them have more threads, or other inputs, are not stuck. Nor are those that
/// could if others had no part of what they take together (exec/together.cpp).
void Scheduler::give_up_unless_stuck() {
  for (const Thread& thread : std::span(threads_).first(slots_used_)) {
    if (thread.status != Status::pending) continue;
    if (thread.pending.op == Op::thread_create) finish(End::thread_limit, thread, thread.pending.site, {});
    if (thread.spinning && thread.reads_inputs) finish(End::pruned, thread, thread.pending.site, {});
  }
  if (waits_for_part() || !is_first_of_equals()) end_run(End::repeats, current_->pending.site, {});
}

/// Who has begun last with what is done only once. If that has failed before, it was somebody else's attempt.
ThreadId Scheduler::runner_of(const void* once) const {
  for (std::uint32_t i = record_.steps; i-- > 0;) {
    const Event& event = events_[i];
    if (event.op == Op::once && event.object == once && event.effect != Effect::read) return event.thread;
  }
  return no_thread;
}

void Scheduler::list_blocked() {
  for (unsigned i = 0; i < slots_used_ && record_.blocked_count < max_blocked; ++i) {
    const Thread& thread = threads_[i];
    if (thread.status != Status::pending) continue;
    Operation operation = thread.pending;
    if (const norn_lockable* const missing = first_missing(thread)) operation.object = missing->object;
    ThreadId holder = no_thread;
    switch (operation.op) {
      case Op::mutex_lock:
      case Op::mutex_timed_lock:
      case Op::condition_relock: holder = Mutex(operation.object).owner(); break;
      case Op::rwlock_read:
      case Op::rwlock_write: holder = ReadWriteLock(operation.object).writer(); break;
      case Op::monitor_enter:
        holder = owner_thread(static_cast<int>(static_cast<norn_door*>(operation.object)->owner));
        break;
      case Op::once: holder = runner_of(operation.object); break;
      case Op::thread_join: holder = static_cast<ThreadId>(operation.argument); break;
      default: break;
    }
    record_.blocked[record_.blocked_count++] = {thread.id,        operation.op,   holder,
                                                operation.object, operation.site, thread.pending_stack};
  }
}

void Scheduler::list_pending() {
  for (Thread& thread : threads()) {
    if (thread.status != Status::pending) continue;
    enabled_ = 0;
    if (!thread.spinning) collect(thread);
    const Operation& operation = thread.pending;
    pending_[record_.pending_count++] = {thread.id,          operation.op,  operation.object,
                                         operation.argument, enabled_ != 0, thread.whereabouts};
  }
}

void Scheduler::links_overflow() { end_run(End::step_limit, current_->pending.site, {}); }

void Scheduler::list_held() {
  for (unsigned i = 0; i < slots_used_; ++i)
    for (const HeldLock& lock : threads_[i].held)
      if (threads_[i].status != Status::unused && record_.held_count < max_held &&
          !has_as_part(threads_[i], lockable(lock)))
        record_.held[record_.held_count++] = {threads_[i].id, lock};
}

void Scheduler::add_property(int (*predicate)(void*), void* argument, const char* message, const void* site) {
  properties_.push_back({predicate, argument, message, site});
  entangle(Entangled::by_property);
}

/// The predicate looks at the program from outside: what it reads is no event and no race.
void Scheduler::look_at_properties() {
  for (const Property& property : properties_) {
    bool holds = false;
    {
      const PhaseScope scope(Phase::norn);
      const Unwatched unwatched;
      holds = property.predicate(property.argument) != 0;
    }
    if (!holds)
      finish(End::property, *current_, property.site, property.message, nullptr, detailed_ ? last_stack() : nullptr);
  }
}

/// Where the current thread was at its last event, after which it may have gone on to another operation; nullptr if it
/// has done nothing yet.
const CallStack* Scheduler::last_stack() const {
  for (std::uint32_t i = record_.steps; i-- > 0;)
    if (events_[i].thread == current_->id) return &stacks_[i];
  return nullptr;
}

void Scheduler::check_leaks(const void* site) {
  if (!options_.leaks) return;
  std::vector<const void*> lost;
  {
    const PhaseScope scope(Phase::norn);
    lost = unreachable_blocks(threads(), snapshot_, *current_, __builtin_frame_address(0));
  }
  if (lost.empty()) return;
  std::size_t total = 0;
  for (const void* block : lost) total += header_of(const_cast<void*>(block))->size;
  const auto first = reinterpret_cast<std::uintptr_t>(lost.front());
  const std::size_t size = header_of(const_cast<void*>(lost.front()))->size;
  watch_.memory_error(fmt::format("leak: {} bytes in {} block{} cannot be reached any more", total, lost.size(),
                                  lost.size() == 1 ? "" : "s"),
                      first, size, analysis::Access::read, lost.front(), site);
}

}  // namespace norn::exec
