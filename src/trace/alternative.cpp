#include "trace/alternative.hpp"

namespace norn {

std::string alternative_text(Op op, std::uint16_t alternative, const ThreadNames& names) {
  if (op == Op::condition_signal || op == Op::address_wake) {
    // A wake-up of everybody has no alternatives.
    if (op == Op::address_wake && alternative == 0) return "-";
    return alternative == no_thread ? "nobody" : names.name(alternative);
  }
  if (alternative == expires) return "expires";
  if (alternative == wakes_spuriously) return "spurious";
  if (alternative == time_passes) return "time-passes";
  return "-";
}

}  // namespace norn
