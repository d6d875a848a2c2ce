#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "exec/traces.hpp"

namespace norn::exec {

/// Counts what the running thread changes outside of its own stack. A write is told of before it happens, so whether it
/// changes anything shows later. Where nobody looks at the thread (exec/traces.hpp), every write counts.
class SharedWrites {
 public:
  /// Another thread is running now; this is its own memory. How many changes of the last one have not been taken.
  std::uint64_t turn_to(std::uintptr_t own_begin, std::uintptr_t own_size) {
    own_begin_ = own_begin;
    own_size_ = own_size;
    return take();
  }

  [[gnu::always_inline]] void note(std::uintptr_t address, std::size_t size) {
    if (traces_limit != 0) [[unlikely]]
      return note_closely(address, size);
    count_ += address - own_begin_ >= own_size_;
  }
  /// The same where it may have happened already.
  void note_change_at(std::uintptr_t address) { count_ += address - own_begin_ >= own_size_; }
  /// Something is changed that cannot be looked at.
  void note_change() { ++count_; }

  /// How many changes there were since the last time. All writes that it was told of have happened.
  std::uint64_t take() {
    if (logged_ != 0) [[unlikely]]
      settle();
    return std::exchange(count_, 0);
  }
  /// The same, but they stay.
  std::uint64_t look() {
    if (logged_ != 0) settle();
    return count_;
  }
  void set(std::uint64_t count) {
    count_ = count;
    logged_ = 0;
  }
  /// Memory is about to go that was written to, or the last write has not happened yet: what has not been looked at
  /// counts.
  void give_up_looking() { count_ += std::exchange(logged_, 0); }

 private:
  struct Entry {
    std::uintptr_t address;
    std::size_t size;
    std::uint64_t before;
  };

  [[gnu::noinline]] void note_closely(std::uintptr_t address, std::size_t size);
  [[gnu::noinline]] void settle();

  std::uint64_t count_ = 0;
  std::uintptr_t own_begin_ = 0;
  std::uintptr_t own_size_ = 0;
  std::uint32_t logged_ = 0;
  std::array<Entry, 8> log_{};
};
extern SharedWrites shared_writes;

}  // namespace norn::exec
