#pragma once

// Data races as in FastTrack (Flanagan and Freund, PLDI 2009): of every location the epochs of the last write and of
// the reads since are kept, which is enough to know whether a run has a race. Which pairs of accesses race is found by
// running a racy run again (analysis/history.hpp).

#include <algorithm>

#include "analysis/clocks.hpp"
#include "analysis/shadow.hpp"

namespace norn::analysis {

enum class Access : std::uint8_t { read, write, atomic_read, atomic_write, free };

inline bool is_atomic(Access access) { return access == Access::atomic_read || access == Access::atomic_write; }
inline bool is_write(Access access) { return access != Access::read && access != Access::atomic_read; }
/// Whether two accesses to one byte by threads that are not ordered are a race.
inline bool conflict(Access a, Access b) { return (is_write(a) || is_write(b)) && !(is_atomic(a) && is_atomic(b)); }

/// Who is executing, in the form that an access needs. The fast path reads the first four only.
struct Accessor {
  std::uint64_t key = 0;       ///< run << 32; 0: accesses are not looked at
  std::uint64_t patience = 0;  ///< accesses until others get a turn
  Epoch epoch = 0;
  const Clock* clocks = nullptr;
  // Accesses elsewhere are of no interest.
  std::uintptr_t watched_begin = 0;
  std::uintptr_t watched_size = UINTPTR_MAX;

  [[nodiscard]] bool cares_about(std::uintptr_t address) const { return address - watched_begin < watched_size; }
};

class RaceDetector {
 public:
  RaceDetector(unsigned threads, void* (*map)(std::size_t)) : happens_before_(threads), shadow_(map), width_(threads) {}

  void begin_run();

  /// What is known at some moment of a run, so that another one can go on from there.
  struct State;
  /// False if there is too much to remember.
  [[nodiscard]] bool can_be_resumed() const;
  void save(State& state);
  void resume(const State& state);

  HappensBefore& happens_before() { return happens_before_; }
  Shadow& shadow() { return shadow_; }
  [[nodiscard]] std::uint64_t run_key() const { return std::uint64_t{run_} << 32; }

  /// Whether some of these bytes have not been accessed in this run (or have been freed since).
  [[nodiscard]] bool is_new(std::uintptr_t address, std::size_t size) const;
  /// Notes an access by `thread`; false if it races with an earlier one.
  bool access(ThreadId thread, std::uintptr_t address, std::size_t size, Access access);
  /// Whether `thread` may read four bytes atomically that have been used so before: that is no race.
  [[nodiscard]] bool may_use(ThreadId thread, std::uintptr_t address) {
    return atomic_slots(thread, address) != nullptr;
  }
  /// Notes that it does, if it may.
  bool use(ThreadId thread, std::uintptr_t address);
  /// Whether an access by `thread` would conflict with an earlier one of another thread, ordered or not. What is in
  /// `known` (clocks, by thread) does not count.
  [[nodiscard]] bool conflicts(ThreadId thread, std::uintptr_t address, std::size_t size, Access access,
                               const Clock* known) const;
  /// Whether one byte is not `thread`'s alone: it is accessed atomically, or another thread wrote it last.
  [[nodiscard]] bool is_shared(ThreadId thread, std::uintptr_t address) const;
  /// Memory that begins a new life, or none.
  void forget(std::uintptr_t begin, std::uintptr_t end) { shadow_.forget(begin, end); }
  /// Calls `visit(address, size)` for the parts of a range that this run has used. Costs no more than the range has
  /// cells, and no more than the run has used.
  template <typename Visitor>
  void visit_used(std::uintptr_t begin, std::uintptr_t end, Visitor visit) {
    while (begin < end) {
      const std::uintptr_t stop = std::min(end, (begin | (Shadow::chunk_size - 1)) + 1);
      for (const auto& [address, size] : used_in_chunk(begin, stop)) visit(address, size);
      begin = stop;
    }
  }
  /// A block is freed: that conflicts with every access to it; then its bytes are new again.
  bool free(ThreadId thread, std::uintptr_t address, std::size_t size);

 private:
  /// Accesses of one kind to one byte: an epoch, or those of several threads.
  struct Mixed {
    static constexpr unsigned kinds = 4;
    std::uint8_t uniform = 0;  ///< mask of bytes that share the first row; 0: every byte has its own
    std::uint8_t used = 0;     ///< mask of bytes that have been accessed at all
    Epoch slots[4][kinds] = {};
  };

  struct Range {
    std::uintptr_t begin;
    std::size_t size;
  };
  std::span<const Range> used_in_chunk(std::uintptr_t begin, std::uintptr_t end);

  void begin_stamp();
  bool access_cell(ThreadId thread, Cell& cell, unsigned mask, Access access);
  Mixed& mix(Cell& cell);
  Epoch* atomic_slots(ThreadId thread, std::uintptr_t address);
  bool access_slots(ThreadId thread, Epoch* slots, Access access);
  [[nodiscard]] bool ordered(ThreadId thread, Epoch slot) const;
  [[nodiscard]] bool is_others(ThreadId thread, Epoch slot, const Clock* known) const;
  [[nodiscard]] bool after_several(ThreadId thread, Epoch slot) const;
  Epoch with_reader(ThreadId thread, Epoch slot);
  Epoch add_several(ThreadId thread, Epoch before);
  /// By thread; those that began later are not in it.
  [[nodiscard]] std::span<const Clock> several(Epoch slot) const {
    const Clock* row = &several_[std::size_t{clock_of(slot)} * several_width()];
    return {row + 1, *row};
  }
  [[nodiscard]] std::size_t several_width() const { return std::size_t{width_} + 1; }

  /// Cells that are read together share the sets of their readers: the last results are remembered.
  struct Joined {
    std::uint32_t run;
    Epoch before;
    Epoch now;
    Epoch after;
  };
  static constexpr std::size_t joined_size = 64;

  HappensBefore happens_before_;
  Shadow shadow_;
  unsigned width_;
  std::uint32_t run_ = 0;
  std::vector<Mixed> mixed_;
  std::size_t mixed_used_ = 0;
  std::vector<Clock> several_;  ///< rows: how many threads, and a clock for each
  std::size_t several_used_ = 0;
  Joined joined_[joined_size] = {};
  std::vector<Cell*> touched_;  ///< cells that this run has used, some perhaps twice
  std::vector<const Cell*> used_cells_;
  std::vector<Range> used_ranges_;
};

struct RaceDetector::State {
  HappensBefore::State happens_before;
  std::vector<std::pair<Cell*, Cell>> cells;
  std::vector<Mixed> mixed;
  std::vector<Clock> several;
};

/// In place of a thread: the clock is an index into the epochs of several threads.
inline constexpr ThreadId several_threads = (1U << (32 - clock_bits)) - 1;
inline constexpr bool is_several(Epoch epoch) { return epoch >= make_epoch(several_threads, 0); }

inline bool RaceDetector::ordered(ThreadId thread, Epoch slot) const {
  if (is_several(slot)) return after_several(thread, slot);
  return clock_of(slot) <= happens_before_.clocks(thread)[thread_of(slot)];
}

/// The fast path: an access to whole cells by the thread that had them last. False: ask the detector.
[[gnu::always_inline]] inline bool known_read(const Accessor& me, Cell& cell, unsigned mask) {
  if (cell.key != (me.key | mask)) return false;
  if (cell.read == me.epoch || cell.write == me.epoch) return true;
  if (clock_of(cell.write) > me.clocks[thread_of(cell.write)]) return false;
  if (is_several(cell.read) || clock_of(cell.read) > me.clocks[thread_of(cell.read)]) return false;
  cell.read = me.epoch;
  return true;
}

[[gnu::always_inline]] inline bool known_write(const Accessor& me, Cell& cell, unsigned mask) {
  if (cell.key != (me.key | mask)) return false;
  if (cell.write == me.epoch) return true;
  // Who has just read it was told then what came before.
  if (cell.read != me.epoch) {
    if (clock_of(cell.write) > me.clocks[thread_of(cell.write)]) return false;
    if (is_several(cell.read) || clock_of(cell.read) > me.clocks[thread_of(cell.read)]) return false;
  }
  cell.write = me.epoch;
  cell.read = 0;
  return true;
}

}  // namespace norn::analysis
