#pragma once

#include <cstdint>

namespace norn::exec {

struct Thread;

// What Norn leaves behind on a stack turns up again: functions of the program have places in their frames that they
// have not written yet, or never will. Where frames are compared (exec/spin.hpp), such places must not tell what Norn
// did, nor what an earlier run left there. So a thread that is looked at finds the stack below its frames empty
// whenever it comes out of Norn; then what is in its frames depends only on what it did and saw itself. (All but the
// frame of the interposed function, which cannot clear what it is using. It has nothing there but what it was called
// with: whatever else Norn does is done by functions that it calls.)

/// How far down the stack of the running thread is cleared; 0 if nobody looks at it.
extern std::uintptr_t traces_limit;

/// The same for `thread`, if somebody looks at it.
std::uintptr_t traces_limit_of(const Thread& thread);

/// Clears the stack below the caller.
void erase_traces();

/// The same for the first function of `thread`: earlier runs may have left more than there is to see from here.
void erase_earlier_runs(const Thread& thread);

/// At the end of everything that Norn does for the running thread.
inline void leave_no_traces() {
  if (traces_limit != 0) [[unlikely]]
    erase_traces();
}

}  // namespace norn::exec
