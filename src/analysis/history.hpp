#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/races.hpp"

namespace norn::analysis {

/// One access to memory in one run.
struct AccessRecord {
  ThreadId thread = no_thread;
  Access access = Access::read;
  std::uint32_t size = 0;
  std::uint32_t step = 0;     ///< events of the run before it
  std::uint32_t links = 0;    ///< links of the run before it
  std::uint32_t details = 0;  ///< for the caller's use: where more is noted
  std::uintptr_t address = 0;
  const void* site = nullptr;
};

/// Two accesses, the first one first in the run.
struct Race {
  AccessRecord first;
  AccessRecord second;
};

/// All accesses of one run, so that every pair that races is found. This is the plain definition of a race: two
/// accesses that conflict, by threads that are not ordered. It costs what it costs; only racy runs pay, once more.
class AccessHistory {
 public:
  void begin_run();
  /// Whether the same access was noted before, with nothing released in between: it races with the same others.
  [[nodiscard]] bool knows(const AccessRecord& record, Epoch now) const;
  /// Notes an access and returns the earlier ones it races with. `clocks` are those of its thread.
  std::span<const AccessRecord> add(const AccessRecord& record, Epoch now, const Clock* clocks);
  /// Memory that begins a new life.
  void forget(std::uintptr_t begin, std::size_t size);

 private:
  struct Entry {
    AccessRecord record;
    Epoch epoch;
  };

  std::unordered_map<std::uintptr_t, std::vector<Entry>> entries_;  ///< by aligned 8 bytes
  std::vector<AccessRecord> racing_;
};

}  // namespace norn::analysis
