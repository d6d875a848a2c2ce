#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "exec/machine_code.hpp"

namespace norn::exec {

/// The program's part of a stack, and below it what the interposed function that it called has saved: the frame pointer
/// and where to return to.
using StackPart = std::span<const std::byte>;

/// What functions have left in registers and on the stack and will never look at again, whatever happens: the last
/// round of a loop leaves there what was not there before the first one. It is told from the code of the functions that
/// the thread will come back to, so it is the same in all runs. Where that is not clear, nothing is left over.
class Leftovers {
 public:
  /// What is in a register when the interposed function returns.
  bool is_left_over(Saved one, StackPart stack);
  /// One of the bytes on the stack.
  bool is_left_over(const std::byte* place, StackPart stack);

 private:
  /// What becomes of something after a call.
  enum class Fate : std::uint8_t {
    used,
    lost,  ///< nobody looks at it
    kept,  ///< nobody looks at it until the function returns
  };
  /// A function that has called another one, and where it goes on.
  struct Frame {
    std::uintptr_t returns_to;
    std::uintptr_t base;  ///< its frame pointer, if it has one
  };

  static bool is_whole(const Frame& frame, StackPart stack);
  static Frame first(StackPart stack);
  static Frame caller_of(const Frame& frame);

  Fate fate_of(Saved one, std::uintptr_t returns_to, bool may_throw);
  Fate fate_of(std::int64_t offset, std::uintptr_t returns_to);
  template <typename Reads, typename Writes>
  static Fate follow(const FunctionCode& function, std::uintptr_t from, Reads reads, Writes writes);
  const FunctionCode& function_with(std::uintptr_t address);

  std::unordered_map<std::uint64_t, Fate> known_;
  std::unordered_map<std::uintptr_t, FunctionCode> functions_;  ///< by addresses they return to
};

}  // namespace norn::exec
