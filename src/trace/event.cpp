#include "trace/event.hpp"

#include <array>
#include <cstddef>

namespace norn {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Op::count_)> operation_names = {
    "none",
    "mutex.lock",
    "mutex.try_lock",
    "mutex.timed_lock",
    "mutex.unlock",
    "spin.lock",
    "spin.try_lock",
    "spin.unlock",
    "rwlock.read",
    "rwlock.try_read",
    "rwlock.timed_read",
    "rwlock.write",
    "rwlock.try_write",
    "rwlock.timed_write",
    "rwlock.unlock",
    "condition.wait",
    "condition.sleep",
    "condition.timed_sleep",
    "condition.relock",
    "condition.signal",
    "condition.broadcast",
    "semaphore.wait",
    "semaphore.try_wait",
    "semaphore.timed_wait",
    "semaphore.post",
    "semaphore.value",
    "barrier.arrive",
    "barrier.meet",
    "barrier.sleep",
    "monitor.enter",
    "binary.post",
    "receive",
    "poll",
    "send",
    "deposit",
    "withdraw",
    "park",
    "once",
    "atomic.load",
    "atomic.store",
    "atomic.update",
    "atomic.compare_exchange",
    "address.wait",
    "address.sleep",
    "address.timed_sleep",
    "address.wake",
    "thread.join",
    "thread.try_join",
    "thread.end",
    "process.exit",
    "plain.read",
    "plain.write",
    "step.begin",
    "yield",
    "thread.create",
};

}  // namespace

std::string_view name(Op op) { return operation_names.at(static_cast<std::size_t>(op)); }

Op op_named(std::string_view text) {
  for (std::size_t i = 0; i < operation_names.size(); ++i)
    if (operation_names[i] == text) return static_cast<Op>(i);
  return Op::none;
}

}  // namespace norn
