#include "trace/alternative.hpp"

namespace norn {

std::string alternative_text(Op op, std::uint16_t alternative, const ThreadNames& names) {
  if (op == Op::condition_signal || op == Op::address_wake) {
    // A wake-up of everybody has no alternatives.
    if (op == Op::address_wake && alternative == 0) return "-";
    return alternative == no_thread ? "nobody" : names.name(alternative);
  }
  if (op == Op::poll && alternative == nothing_came) return "nothing";
  if (op == Op::receive || op == Op::poll) {
    const std::string sender = names.name(sender_of(alternative));
    return port_of(alternative) == 0 ? sender : sender + ":" + std::to_string(port_of(alternative));
  }
  if (alternative == expires) return "expires";
  if (alternative == wakes_spuriously) return "spurious";
  if (alternative == time_passes) return "time-passes";
  return "-";
}

}  // namespace norn
