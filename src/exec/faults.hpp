#pragma once

namespace norn::exec {

class Snapshot;

/// Takes over the signals that mean a crash (and the watchdog's) for as long as runs go on. A fault in a cold
/// page of `snapshot` heats it; any other ends the run at hand.
void install_fault_handlers(Snapshot* snapshot);
void remove_fault_handlers();
/// Gives the calling OS thread a stack to handle its signals on, for faults that come from stack overflows.
void use_alternate_signal_stack();

}  // namespace norn::exec
