#pragma once

namespace norn::frontend {

/// A command of fcntl that is about locks, under control: where it would wait, the run is cut.
int lock_by_fcntl(int descriptor, int command, void* argument, const void* site);

}  // namespace norn::frontend
