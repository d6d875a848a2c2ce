#pragma once

namespace norn::exec {

/// Whose code is running, for those calls that both Norn and the program make (memory, files).
enum class Phase {
  native,   ///< the program, not under control
  norn,     ///< Norn's driver
  program,  ///< the program in a run
};

extern Phase phase;

/// The program has said so (include/norn/detail/runtime.hpp).
inline bool constructs_are_used = false;

class PhaseScope {
 public:
  explicit PhaseScope(Phase next) : before_(phase) { phase = next; }
  ~PhaseScope() { phase = before_; }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  Phase before_;
};

/// Whether the caller is the program in a run.
inline bool controlled() { return phase == Phase::program; }

}  // namespace norn::exec
