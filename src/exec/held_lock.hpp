#pragma once

#include "trace/event.hpp"

namespace norn::exec {

/// A lock that a thread holds, and since when.
struct HeldLock {
  const void* object = nullptr;
  const void* site = nullptr;
  Op op = Op::none;
  std::uint32_t step = 0;  ///< the event by which the thread got it
  bool robust = false;     ///< it can be taken from a thread that has ended
};

/// More are not shown in reports.
inline constexpr unsigned max_locks = 8;

}  // namespace norn::exec
