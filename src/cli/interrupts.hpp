#pragma once

#include <signal.h>

#include <array>

namespace norn {

/// The user has asked twice, or before there was anything to report: the command ends as the signal would have ended
/// it.
struct Interrupted {
  int signal;
};

/// While there is one of these, Ctrl-C and the signals that mean the same are counted, and nothing else happens.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// How many there were so far.
  [[nodiscard]] static int count();
  /// What to throw.
  [[nodiscard]] static Interrupted last();

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> previous_;
};

}  // namespace norn
