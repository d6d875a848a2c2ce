#pragma once

namespace norn::exec {

inline constexpr unsigned stack_depth = 24;

/// Program counters of one call stack, innermost first, ended by a null pointer if shorter.
struct CallStack {
  const void* frames[stack_depth];
  const void* bases[stack_depth];  ///< where each one's frame ends (its canonical frame address); null if not known
  const void* top;                 ///< where the innermost begins
};

}  // namespace norn::exec
