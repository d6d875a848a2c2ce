#pragma once

#include <compare>
#include <cstddef>
#include <set>

#include "exec/call_stack.hpp"
#include "trace/event.hpp"

namespace norn::exec {

/// A function that was active when a stack was captured, and the part of the stack that was its own.
struct StackFrame {
  ThreadId thread;
  const void* code;
  const void* begin;
  const void* end;  ///< its canonical frame address
  friend auto operator<=>(const StackFrame&, const StackFrame&) = default;
};

/// All frames of the stacks of a run: enough to give local variables their names.
class StackFrames {
 public:
  void add(ThreadId thread, const CallStack& stack) {
    const void* begin = stack.top;
    for (unsigned i = 0; i < stack_depth && stack.frames[i] != nullptr && stack.bases[i] != nullptr; ++i) {
      if (found_.size() < most) found_.insert({thread, stack.frames[i], begin, stack.bases[i]});
      begin = stack.bases[i];
    }
  }

  [[nodiscard]] const std::set<StackFrame>& found() const { return found_; }

 private:
  static constexpr std::size_t most = 2000;  ///< deep recursion makes many of one kind

  std::set<StackFrame> found_;
};

}  // namespace norn::exec
