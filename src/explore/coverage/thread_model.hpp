#pragma once

#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace norn::coverage {

using Lockset = std::vector<const void*>;  ///< sorted

/// A lock that a thread took, and where.
struct LockAction {
  ThreadId thread;
  const void* lock;
  Location location;
  bool shared;                  ///< others may have it at the same time: for reading
  std::uint32_t step;           ///< of the run
  std::uint32_t arrival;        ///< the step from which on the thread was about to do it
  Lockset held;                 ///< lockset(p): what the thread held before
  Lockset held_until_next;      ///< lockset(p, next(p)): what it held all the time until it took this lock again
  Lockset held_since_previous;  ///< lockset(prev(p), p)
  std::size_t next = none;      ///< when the thread took the same lock again
  std::uint32_t created = 0;    ///< threads that the thread had started before
  std::vector<ThreadId> ended;  ///< threads that the thread knew to have ended before
  std::uint32_t released = 0;   ///< the step at which it gave the lock back; UINT32_MAX: it did not

  static constexpr std::size_t none = SIZE_MAX;
};

/// The model of section 2.2.1 of the paper: what each thread did with locks in one run, in the order of the run.
class ThreadModel {
 public:
  explicit ThreadModel(const Trace& trace);

  [[nodiscard]] const std::vector<LockAction>& actions() const { return actions_; }
  /// Whether `first` happens before `second` in every run, because its thread started the other one (or one of those
  /// that started it) only afterwards.
  [[nodiscard]] bool precedes(const LockAction& first, const LockAction& second) const;
  /// The same for all that starting and joining threads order.
  [[nodiscard]] bool happens_before(const LockAction& first, const LockAction& second) const;

 private:
  struct Held {
    const void* lock;
    std::size_t action;
  };
  struct ThreadState {
    ThreadId parent = no_thread;
    std::uint32_t place = 0;  ///< it is the n-th thread that its parent started
    std::uint32_t created = 0;
    std::uint32_t arrival = 0;
    std::vector<ThreadId> ended;
    std::vector<Held> held;
  };

  ThreadState& state(ThreadId thread);
  void follow(const Link& link);
  void take(const Event& event, Location location, std::uint32_t step);
  void give_back(ThreadId thread, const void* lock, std::uint32_t step);
  void find_neighbours();

  std::vector<LockAction> actions_;
  std::vector<ThreadState> threads_;
  struct Release {
    ThreadId thread;
    const void* lock;
    std::uint32_t step;
  };
  std::vector<Release> releases_;
};

/// Whether the event took a lock.
bool takes_lock(const Event& event);
/// Whether an operation is about to take one, or to try.
bool is_lock_operation(Op op);

}  // namespace norn::coverage
