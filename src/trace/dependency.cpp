#include "trace/dependency.hpp"

namespace norn {
namespace {

Foreseen if_possible(bool possible, Foreseen otherwise, Foreseen then = Foreseen::writes) {
  return possible ? then : otherwise;
}

bool owns(ThreadId thread, std::uint64_t before) { return (before & 0xffff) == std::uint64_t{thread} + 1; }

/// A mutex does not let its owner wait if it can count or say no.
bool answers(ThreadId thread, std::uint64_t before) {
  return before == state::free ||
         (owns(thread, before) && (before & (state::is_recursive | state::checks_errors)) != 0);
}

bool can_try(ThreadId thread, std::uint64_t before) {
  return before == state::free || (owns(thread, before) && (before & state::is_recursive) != 0);
}

}  // namespace

Foreseen foresee(Op op, std::uint64_t argument, ThreadId thread, std::uint64_t before) {
  switch (op) {
    case Op::mutex_lock:
    case Op::condition_relock: return if_possible(answers(thread, before), Foreseen::blocked);
    case Op::mutex_timed_lock: return if_possible(answers(thread, before), Foreseen::reads);
    case Op::mutex_try_lock: return if_possible(can_try(thread, before), Foreseen::reads);
    case Op::monitor_enter:
    case Op::spin_lock: return if_possible(before == state::free, Foreseen::blocked);
    case Op::spin_try_lock: return if_possible(before == state::free, Foreseen::reads);
    case Op::rwlock_read: return if_possible(before < state::is_written, Foreseen::blocked, Foreseen::shares);
    case Op::rwlock_try_read:
    case Op::rwlock_timed_read: return if_possible(before < state::is_written, Foreseen::reads, Foreseen::shares);
    case Op::rwlock_write: return if_possible(before == state::free, Foreseen::blocked);
    case Op::rwlock_try_write:
    case Op::rwlock_timed_write: return if_possible(before == state::free, Foreseen::reads);
    case Op::semaphore_wait: return if_possible(before != 0, Foreseen::blocked);
    // Where sending is no event, what can be received does not depend on the order of events on the port.
    case Op::receive: return if_possible(argument != 0 && before != 0, Foreseen::blocked);
    case Op::poll: return if_possible(before != 0, Foreseen::reads);
    case Op::binary_post: return if_possible(before == 0, Foreseen::blocked);
    case Op::semaphore_try_wait:
    case Op::semaphore_timed_wait: return if_possible(before != 0, Foreseen::reads);
    case Op::once:
      if (before == state::done) return Foreseen::reads;
      return if_possible(before == state::free, Foreseen::blocked);
    case Op::atomic_compare_exchange:
    case Op::address_wait: return if_possible(before == argument, Foreseen::reads);
    case Op::thread_try_join: return if_possible(before == state::done, Foreseen::reads);
    case Op::atomic_load:
    case Op::plain_read:
    case Op::semaphore_value:
    case Op::barrier_meet:
    case Op::yield: return Foreseen::reads;
    case Op::condition_sleep:
    case Op::barrier_sleep:
    case Op::withdraw:
    case Op::park:
    case Op::address_sleep:
    case Op::thread_join: return Foreseen::blocked;
    default: return Foreseen::writes;
  }
}

std::uint16_t alternative_of(Op op, Foreseen foreseen) {
  switch (op) {
    case Op::mutex_timed_lock:
    case Op::rwlock_timed_read:
    case Op::rwlock_timed_write:
    case Op::semaphore_timed_wait: return foreseen == Foreseen::reads ? expires : std::uint16_t{0};
    case Op::poll: return nothing_came;
    default: return 0;
  }
}

}  // namespace norn
