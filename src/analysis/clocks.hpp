#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trace/event.hpp"

namespace norn::analysis {

/// A moment of one thread in 32 bits: the thread and how often it had released something by then. 0 is before
/// everything.
using Epoch = std::uint32_t;
using Clock = std::uint32_t;

inline constexpr unsigned clock_bits = 21;
/// More releases of one thread in one run cannot be told apart.
inline constexpr Clock last_clock = (Clock{1} << clock_bits) - 1;

inline constexpr Epoch make_epoch(ThreadId thread, Clock clock) { return Epoch{thread} << clock_bits | clock; }
inline constexpr ThreadId thread_of(Epoch epoch) { return static_cast<ThreadId>(epoch >> clock_bits); }
inline constexpr Clock clock_of(Epoch epoch) { return epoch & last_clock; }

/// The memory orders of C++, with the numbers that compilers pass to the runtime.
enum class Order : std::uint8_t { relaxed, consume, acquire, release, acquire_release, sequential };

inline bool acquires(Order order) { return order != Order::relaxed && order != Order::release; }
inline bool releases(Order order) { return order >= Order::release; }

/// The happens-before order of one run: vector clocks of its threads and of the objects they synchronize with.
///
/// An object's clock is what a thread learns that acquires it. Fences work as in the C++ standard: a release fence
/// lets later relaxed stores publish what was before the fence, an acquire fence makes earlier relaxed loads count.
class HappensBefore {
 public:
  explicit HappensBefore(unsigned threads);

  void begin_run();
  /// `parent` is no_thread for the main thread.
  void create(ThreadId parent, ThreadId child);
  void join(ThreadId thread, ThreadId ended);

  void acquire(ThreadId thread, const void* object);
  /// What the object published before is replaced: a mutex, a store.
  void release(ThreadId thread, const void* object);
  /// What the object published before stays published: a semaphore, a barrier, the readers of a lock.
  void release_too(ThreadId thread, const void* object);

  void load(ThreadId thread, const void* object, Order order);
  void store(ThreadId thread, const void* object, Order order);
  void update(ThreadId thread, const void* object, Order order);
  void fence(ThreadId thread, Order order);

  /// What is known at some moment of a run, so that another one can go on from there.
  struct State {
    unsigned used = 0;
    std::vector<Clock> rows;
    std::vector<std::pair<const void*, Epoch>> objects;  ///< and the only release of each, as in Entry
    std::vector<Clock> object_rows;
  };
  /// False if there is more to know than that.
  [[nodiscard]] bool can_be_resumed() const { return !fences_used_ && !overflowed_; }
  void save(State& state);
  void resume(const State& state);

  [[nodiscard]] Epoch now(ThreadId thread) const { return make_epoch(thread, clocks(thread)[thread]); }
  [[nodiscard]] const Clock* clocks(ThreadId thread) const { return &rows_[std::size_t{thread} * width_]; }
  [[nodiscard]] unsigned threads() const { return used_; }
  /// A thread has released more often than can be counted.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

 private:
  struct Entry {
    const void* object;
    std::uint32_t run;
    std::uint32_t index;  ///< of its clock in `object_rows_`
    Epoch last;           ///< the only release, if there is just one: whoever knows it knows all
  };
  struct Fences {
    std::vector<Clock> released;  ///< by the last release fence
    std::vector<Clock> seen;      ///< by relaxed loads, for the next acquire fence
    std::uint32_t run = 0;
  };

  Clock* row(ThreadId thread) { return &rows_[std::size_t{thread} * width_]; }
  Clock* object_row(const Entry& entry) { return &object_rows_[std::size_t{entry.index} * width_]; }
  Entry* find(const void* object);
  Entry& find_or_add(const void* object, bool& is_new);
  void grow();
  Fences& fences(ThreadId thread);
  [[nodiscard]] bool has_fenced(ThreadId thread) const {
    return thread < fences_.size() && fences_[thread].run == run_ && fences_used_;
  }
  void learn(ThreadId thread, const Entry& entry);
  void merge(Clock* into, const Clock* from) const;
  void copy(Clock* into, const Clock* from) const;
  void tick(ThreadId thread);
  void add_column();

  unsigned width_;
  unsigned used_ = 0;
  std::uint32_t run_ = 0;
  bool overflowed_ = false;
  bool fences_used_ = false;
  std::vector<Clock> rows_;
  std::vector<Entry> table_ = std::vector<Entry>(256);
  std::size_t entries_ = 0;
  std::vector<const void*> objects_;  ///< of the entries, by index
  std::vector<Clock> object_rows_;
  std::vector<Fences> fences_;
};

}  // namespace norn::analysis
