#pragma once

#include "trace/event.hpp"

namespace norn::coverage {

/// What a thread can do next.
struct Action {
  ThreadId thread;
  bool controlled;  ///< its kind is one that requirements are about
  const void* object;
  Location location;

  bool operator==(const Action&) const = default;
};

}  // namespace norn::coverage
