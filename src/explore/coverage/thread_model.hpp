#pragma once

#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace norn::coverage {

using Lockset = std::vector<const void*>;  ///< sorted

/// What a thread did to an object that others use too, and where: it took a lock, or accessed a variable.
struct ThreadAction {
  ThreadId thread;
  const void* object;
  Location location;
  bool reads;  ///< a variable; or it took a lock that others may have at the same time
  bool writes;
  std::uint32_t step;           ///< of the run
  std::uint32_t arrival;        ///< the step from which on the thread was about to do it
  Lockset held;                 ///< lockset(p): what the thread held before
  Lockset held_until_next;      ///< lockset(p, next(p)): what it held all the time until then
  Lockset held_since_previous;  ///< lockset(prev(p), p)
  std::size_t next = none;      ///< when the thread did the same again: next(p)
  std::uint32_t created = 0;    ///< threads that the thread had started before
  std::vector<ThreadId> ended;  ///< threads that the thread knew to have ended before
  std::uint32_t released = 0;   ///< the step at which it gave the lock back; UINT32_MAX: it did not

  static constexpr std::size_t none = SIZE_MAX;
};

/// The model of section 2.2.1 of the paper: what each thread did with locks in one run, in the order of the run.
class ThreadModel {
 public:
  /// `with_accesses`: also what they did with variables.
  explicit ThreadModel(const Trace& trace, bool with_accesses = false);

  /// Locks that were taken.
  [[nodiscard]] const std::vector<ThreadAction>& actions() const { return actions_; }
  /// Accesses to variables; next(p) and prev(p) are neighbours among all of them, or among those that write.
  [[nodiscard]] std::vector<ThreadAction> accesses(bool only_writes) const;
  /// Whether `first` happens before `second` in every run, because its thread started the other one (or one of those
  /// that started it) only afterwards.
  [[nodiscard]] bool precedes(const ThreadAction& first, const ThreadAction& second) const;
  /// The same for all that starting and joining threads order.
  [[nodiscard]] bool happens_before(const ThreadAction& first, const ThreadAction& second) const;

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
  ThreadAction action_of(const Event& event, Location location, std::uint32_t step);
  void take(const Event& event, Location location, std::uint32_t step);
  void give_back(ThreadId thread, const void* lock, std::uint32_t step);
  void find_neighbours(std::vector<ThreadAction>& actions, bool only_writes) const;
  [[nodiscard]] Lockset held_between(const ThreadAction& first, const ThreadAction& second) const;

  std::vector<ThreadAction> actions_;
  std::vector<ThreadAction> accesses_;
  std::vector<ThreadState> threads_;
  struct Release {
    const void* lock;
    std::uint32_t step;
  };
  std::vector<std::vector<Release>> releases_;  ///< by thread
};

/// Whether the event took a lock.
bool takes_lock(const Event& event);
/// Whether an operation is about to take one, or to try.
bool is_lock_operation(Op op);
/// Whether it accesses a variable, and how.
bool is_access(Op op);
bool reads_variable(Op op);
bool writes_variable(const Event& event);

}  // namespace norn::coverage
