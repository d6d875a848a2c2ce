#pragma once

// What must hold after every step of every thread.
//
//   norn::always([&] { return queue.size() <= capacity; }, "the queue never holds more than fits");
//
// Under `norn check` and in norn::explore the predicate is called after every visible operation of every thread, for
// the rest of the run. It looks at the program from outside: it must only read, and take no locks. Without Norn the
// line does nothing.

#include <norn/runtime_abi.h>

#include <new>
#include <type_traits>
#include <utility>

namespace norn {

template <typename Predicate>
void always(Predicate&& predicate, const char* message = "a property does not hold") {
  using Stored = std::decay_t<Predicate>;
  static_assert(alignof(Stored) <= 16, "what the predicate captures needs too large an alignment");
  if (norn_always == nullptr) return;
  const auto call = [](void* stored) { return (*static_cast<Stored*>(stored))() ? 1 : 0; };
  if (void* memory = norn_always(call, message, sizeof(Stored)))
    new (memory) Stored(std::forward<Predicate>(predicate));
}

}  // namespace norn
