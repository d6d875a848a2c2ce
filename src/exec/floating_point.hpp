#pragma once

#include <cstdint>

namespace norn::exec {

/// How a thread computes: rounding, which exceptions it traps and which it has raised.
struct FloatingPoint {
  std::uint32_t vector_state = 0x1f80;  ///< MXCSR
  std::uint16_t control = 0x037f;       ///< of the x87 unit, which is for numbers of type long double
  std::uint16_t status = 0;             ///< likewise

  static FloatingPoint now();
  void load() const;
};
static_assert(sizeof(FloatingPoint) == 8);  // a word of the stack in norn_switch_context

/// Norn computes as every program does at its start, and leaves nothing behind in how its caller computes.
class OwnFloatingPoint {
 public:
  OwnFloatingPoint() { FloatingPoint().load(); }
  ~OwnFloatingPoint() { callers_.load(); }
  OwnFloatingPoint(const OwnFloatingPoint&) = delete;
  OwnFloatingPoint& operator=(const OwnFloatingPoint&) = delete;
  [[nodiscard]] const FloatingPoint& callers() const { return callers_; }

 private:
  FloatingPoint callers_ = FloatingPoint::now();
};

/// Whether the program, or a library of it, asks for exceptions that were raised. Asking the x87 unit at every switch
/// of threads would be wasted on all others.
bool asks_for_exceptions();

}  // namespace norn::exec
