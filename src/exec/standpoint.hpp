#pragma once

#include <cstdint>
#include <vector>

#include "exec/thread.hpp"

namespace norn::exec {

/// Where a run is, as far as it is the scheduler's: copying it back is going back.
struct Standpoint {
  Thread* current_ = nullptr;
  unsigned slots_used_ = 1;  ///< one more than the highest slot in use in this run
  unsigned ready_ = 0;
  unsigned locks_held_ = 0;  ///< those of threads that have ended included
  unsigned spinning_ = 0;
  ThreadId goes_round_ = no_thread;  ///< once more, because nobody could move
  bool lets_others_move_ = false;    ///< somebody else could move meanwhile
  bool gives_way_ = false;           ///< a thread goes on only if nobody else can
  bool passed_over_ = false;         ///< somebody else could, so that it did not
  bool yields_on_ = false;           ///< a thread gave way again and again, and nothing was visible
  bool changed_ = false;             ///< the last event may have changed its object
  std::uint64_t changes_ = 0;        ///< events that changed their objects, in this run
  std::uint64_t writes_ = 0;         ///< plain ones, to memory that is not the thread's own
  unsigned spurious_left_ = 0;
  std::uint64_t tickets_ = 0;
  ThreadId last_moved_ = no_thread;
  struct Property {
    int (*predicate)(void*);
    void* argument;
    const char* message;
    const void* site;
  };
  std::vector<Property> properties_;
  bool time_used_ = false;
  struct ObjectTime {
    const void* object;
    std::uint64_t clock;
  };
  std::vector<ObjectTime> times_;
};

}  // namespace norn::exec
