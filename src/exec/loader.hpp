#pragma once

namespace norn::exec {

// The dynamic loader locks its tables while it works (dlsym, dladdr, dl_iterate_phdr). A thread that never comes out of
// it, because it crashed in a callback or on a wrong handle, would keep these locks for ever, from the runs to come and
// from Norn.

/// Finds the locks, while nobody has one.
void find_loader_locks();
/// Between two runs nobody is in the loader.
void free_loader_locks();

}  // namespace norn::exec
