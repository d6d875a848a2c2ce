#include "trace/trace.hpp"

namespace norn {

const char* kind(End end) {
  switch (end) {
    case End::finished: return "finished";
    case End::pruned: return "pruned";
    case End::repeats: return "repeats";
    case End::assertion: return "assertion";
    case End::deadlock: return "deadlock";
    case End::exception: return "exception";
    case End::crash: return "crash";
    case End::abort: return "abort";
    case End::exit_code: return "exit";
    case End::memory: return "memory";
    case End::misuse: return "misuse";
    case End::property: return "property";
    case End::livelock: return "livelock";
    case End::data_race: return "data-race";
    case End::step_limit: return "step-limit";
    case End::thread_limit: return "thread-limit";
    case End::memory_limit: return "memory-limit";
    case End::hang: return "hang";
    case End::uncontrolled: return "uncontrolled";
    case End::diverged: return "diverged";
    case End::interrupted: return "interrupted";
  }
  return "unknown";
}

}  // namespace norn
