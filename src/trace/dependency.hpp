#pragma once

// When two operations depend on each other: on one object, unless both only read. Whether an operation reads or writes
// can depend on the state it finds: a compare-and-swap that fails is a load, a lock that is held is tried in vain. So
// every event says what that state was, and `foresee` says how an operation would turn out in it.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "trace/event.hpp"

namespace norn {

inline bool conflict(Effect one, Effect other) { return one == Effect::write || other == Effect::write; }

/// Gives back a lock.
inline bool gives_back(Op op) { return op == Op::mutex_unlock || op == Op::spin_unlock || op == Op::rwlock_unlock; }

/// About the value of an atomic object.
inline bool is_on_atomic(Op op) {
  return op == Op::atomic_load || op == Op::atomic_store || op == Op::atomic_update ||
         op == Op::atomic_compare_exchange;
}

/// Takes a lock, or goes on without it sooner or later.
inline bool may_go_without(Op op) {
  switch (op) {
    case Op::mutex_try_lock:
    case Op::mutex_timed_lock:
    case Op::spin_try_lock:
    case Op::rwlock_try_read:
    case Op::rwlock_timed_read:
    case Op::rwlock_try_write:
    case Op::rwlock_timed_write: return true;
    default: return false;
  }
}

/// How an operation turns out in a given state.
enum class Foreseen : std::uint8_t {
  blocked,
  reads,   ///< changes nothing for anybody else
  shares,  ///< commutes with those that do the same, but keeps others away: a reader's lock
  writes,
};

/// Whether the operation can wait for, or look for, a state at all; otherwise it turns out the same in every one.
Foreseen foresee(Op op, std::uint64_t argument, ThreadId thread, std::uint64_t before);

/// How a read-like event of this kind is to be seen.
inline bool shares(Op op, Effect effect, std::uint64_t before);

/// The alternative that an operation takes if it turns out like this.
std::uint16_t alternative_of(Op op, Foreseen foreseen);

/// Whether events of this kind know the state of their object. (Those that do not leave it as it is.)
inline bool knows_state(Op op) {
  return op != Op::address_wake && op != Op::address_sleep && op != Op::address_timed_sleep;
}

/// States of objects as numbers. Atomic objects: their value (mixed, if it is longer than a number).
namespace state {

inline constexpr std::uint64_t free = 0;
inline constexpr std::uint64_t begun = 1;
inline constexpr std::uint64_t done = 2;

inline constexpr std::uint64_t owner_bits = 0xffff;
inline constexpr std::uint64_t is_recursive = 1U << 16;
inline constexpr std::uint64_t checks_errors = 1U << 17;
inline constexpr std::uint64_t is_written = std::uint64_t{1} << 32;

inline std::uint64_t of_mutex(ThreadId owner, bool recursive, bool checks) {
  return (std::uint64_t{owner} + 1) | (recursive ? is_recursive : 0) | (checks ? checks_errors : 0);
}
inline std::uint64_t of_rwlock(bool written, unsigned readers) { return (written ? is_written : 0) | readers; }

/// By hand, because the functions of the C library are the program's where this is used.
inline std::uint64_t of_bytes(const void* bytes, std::size_t size) {
  std::uint64_t value = 0;
  const auto* from = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) {
    if (i != 0 && i % sizeof value == 0) value *= 0x9e3779b97f4a7c15;
    value += std::uint64_t{from[i]} << (i % sizeof value * 8);
  }
  return value;
}

template <typename T>
std::uint64_t of_value(T value) {
  if constexpr (sizeof(T) > sizeof(std::uint64_t)) {
    return of_bytes(&value, sizeof value);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
}

}  // namespace state

inline bool shares(Op op, Effect effect, std::uint64_t before) {
  const bool is_reader = op == Op::rwlock_read || op == Op::rwlock_try_read || op == Op::rwlock_timed_read;
  return is_reader && effect == Effect::read && (before & state::is_written) == 0;
}

}  // namespace norn
