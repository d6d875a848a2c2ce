#pragma once

namespace norn::exec {

inline constexpr unsigned stack_depth = 24;

/// Program counters of one call stack, innermost first, ended by a null pointer if shorter.
struct CallStack {
  const void* frames[stack_depth];
};

}  // namespace norn::exec
