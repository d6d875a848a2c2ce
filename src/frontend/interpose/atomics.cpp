// __tsan_atomic*: what -fsanitize=thread turns every atomic operation into; and libatomic's functions for 16 bytes,
// which Clang calls instead if it does not know that the processor can do it (-mcx16). One visible operation each. In a
// run only one thread executes at a time, so plain memory accesses are atomic there; outside of runs the real thing is
// done.

#include "frontend/interpose/accesses.hpp"
#include "frontend/interpose/interpose.hpp"
#include "frontend/interpose/noise.hpp"
#include "trace/dependency.hpp"

namespace norn::frontend {
namespace {

// Outside of runs.

__extension__ using int128 = unsigned __int128;

/// The compiler would leave 16 bytes to libatomic. Norn must give rbx back (see the flags of this library).
int128 swap_if_equal(volatile int128* address, int128 expected, int128 desired) {
  auto old_low = static_cast<std::uint64_t>(expected);
  auto old_high = static_cast<std::uint64_t>(expected >> 64);
  asm volatile(
      "xchg %%rbx, %%rsi\n\t"
      "lock cmpxchg16b (%%rdi)\n\t"
      "mov %%rsi, %%rbx"
      : "+a"(old_low), "+d"(old_high)
      : "D"(address), "S"(static_cast<std::uint64_t>(desired)), "c"(static_cast<std::uint64_t>(desired >> 64))
      : "memory", "cc");
  return static_cast<int128>(old_high) << 64 | old_low;
}

template <typename T>
bool native_compare_exchange(volatile T* address, T* expected, T desired) {
  if constexpr (sizeof(T) == 16) {
    const T old = swap_if_equal(address, *expected, desired);
    return old == *expected || (*expected = old, false);
  } else {
    return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

template <typename T>
T native_load(const volatile T* address) {
  if constexpr (sizeof(T) == 16) {
    return swap_if_equal(const_cast<volatile T*>(address), 0, 0);
  } else {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  }
}

template <typename T, typename Function>
T native_update(volatile T* address, Function function) {
  T old = native_load(address);
  while (!native_compare_exchange(address, &old, function(old))) {
  }
  return old;
}

/// Comes to the scheduler with an operation.
template <typename T>
void announce(Op op, const volatile T* address, const void* site, std::uint64_t argument = 0) {
  run().perform({op, site, const_cast<T*>(address), nullptr, argument});
  if constexpr (sizeof(T) > sizeof(std::uint64_t)) run().event().is_opaque = true;
}

/// The same, and then it happens.
template <typename T>
void before(Op op, const volatile T* address, const void* site, bool writes = true, std::uint64_t argument = 0) {
  announce(op, address, site, argument);
  accessed(const_cast<const T*>(address), sizeof(T), writes, site);
}

template <typename T>
T load(const volatile T* address, int order, const void* site) {
  if (!controlled()) return noise_point(), native_load(address);
  before(Op::atomic_load, address, site, false);
  run().commuted();
  run().watch().loaded(const_cast<const T*>(address), order);
  const T value = *address;
  run().event().before = run().event().value = state::of_value(value);
  return value;
}

template <typename T>
void store(volatile T* address, T value, int order, const void* site) {
  if (!controlled()) return noise_point(), void(native_update(address, [value](T) { return value; }));
  announce(Op::atomic_store, address, site);
  run().event().value = state::of_value(value);
  accessed(const_cast<const T*>(address), sizeof(T), true, site);
  run().watch().stored(const_cast<T*>(address), order);
  run().event().before = state::of_value(T{*address});
  if (*address == value) run().unchanged();
  *address = value;
}

template <typename T, typename Function>
T update(volatile T* address, T operand, int order, const void* site, Function function) {
  if (!controlled()) return noise_point(), native_update(address, function);
  run().current().operand = state::of_value(operand);
  before(Op::atomic_update, address, site);
  run().watch().updated(const_cast<T*>(address), order);
  const T old = *address;
  const T next = function(old);
  run().event().before = state::of_value(old);
  run().event().value = state::of_value(next);
  if (next == old) run().unchanged();
  *address = next;
  return old;
}

template <typename T>
bool compare_exchange(volatile T* address, T* expected, T desired, int success, int failure, const void* site) {
  if (!controlled()) return noise_point(), native_compare_exchange(address, expected, desired);
  before(Op::atomic_compare_exchange, address, site, false, state::of_value(*expected));
  const T old = *address;
  run().event().before = run().event().value = state::of_value(old);
  if (old == *expected) {
    run().event().value = state::of_value(desired);
    accessed(const_cast<T*>(address), sizeof(T), true, site);
    run().watch().updated(const_cast<T*>(address), success);
    *address = desired;
    return true;
  }
  // One that fails is a load.
  run().commuted();
  run().watch().loaded(const_cast<T*>(address), failure);
  *expected = old;
  return false;
}

/// The same where what is expected lies in the program's memory: a plain variable, read before and, if the operation
/// fails, written after it. (Where the compiler passes the value, it shows these accesses itself.)
template <typename T>
bool compare_exchange_in_memory(volatile T* address, T* expected, T desired, int success, int failure,
                                const void* site) {
  access_operand<false>(expected, site);
  T value = *expected;
  if (compare_exchange(address, &value, desired, success, failure, site)) return true;
  access_operand<true>(expected, site);
  *expected = value;
  return false;
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

#define NORN_ATOMICS(SIZE, T)                                                                                         \
  NORN_EXPORT T __tsan_atomic##SIZE##_load(const volatile T* a, int order) { return load(a, order, NORN_SITE); }      \
  NORN_EXPORT void __tsan_atomic##SIZE##_store(volatile T* a, T v, int order) { store(a, v, order, NORN_SITE); }      \
  NORN_EXPORT T __tsan_atomic##SIZE##_exchange(volatile T* a, T v, int order) {                                       \
    return update(a, v, order, NORN_SITE, [v](T) { return v; });                                                      \
  }                                                                                                                   \
  NORN_EXPORT T __tsan_atomic##SIZE##_fetch_add(volatile T* a, T v, int order) {                                      \
    return update(a, v, order, NORN_SITE, [v](T old) { return static_cast<T>(old + v); });                            \
  }                                                                                                                   \
  NORN_EXPORT T __tsan_atomic##SIZE##_fetch_sub(volatile T* a, T v, int order) {                                      \
    return update(a, v, order, NORN_SITE, [v](T old) { return static_cast<T>(old - v); });                            \
  }                                                                                                                   \
  NORN_EXPORT T __tsan_atomic##SIZE##_fetch_and(volatile T* a, T v, int order) {                                      \
    return update(a, v, order, NORN_SITE, [v](T old) { return static_cast<T>(old & v); });                            \
  }                                                                                                                   \
  NORN_EXPORT T __tsan_atomic##SIZE##_fetch_or(volatile T* a, T v, int order) {                                       \
    return update(a, v, order, NORN_SITE, [v](T old) { return static_cast<T>(old | v); });                            \
  }                                                                                                                   \
  NORN_EXPORT T __tsan_atomic##SIZE##_fetch_xor(volatile T* a, T v, int order) {                                      \
    return update(a, v, order, NORN_SITE, [v](T old) { return static_cast<T>(old ^ v); });                            \
  }                                                                                                                   \
  NORN_EXPORT T __tsan_atomic##SIZE##_fetch_nand(volatile T* a, T v, int order) {                                     \
    return update(a, v, order, NORN_SITE, [v](T old) { return static_cast<T>(~(old & v)); });                         \
  }                                                                                                                   \
  NORN_EXPORT int __tsan_atomic##SIZE##_compare_exchange_strong(volatile T* a, T* e, T d, int success, int failure) { \
    return compare_exchange_in_memory(a, e, d, success, failure, NORN_SITE);                                          \
  }                                                                                                                   \
  NORN_EXPORT int __tsan_atomic##SIZE##_compare_exchange_weak(volatile T* a, T* e, T d, int success, int failure) {   \
    return compare_exchange_in_memory(a, e, d, success, failure, NORN_SITE);                                          \
  }                                                                                                                   \
  NORN_EXPORT T __tsan_atomic##SIZE##_compare_exchange_val(volatile T* a, T e, T d, int success, int failure) {       \
    compare_exchange(a, &e, d, success, failure, NORN_SITE);                                                          \
    return e;                                                                                                         \
  }

// Unsigned, so that arithmetic wraps; the calling convention is the same.
NORN_ATOMICS(8, unsigned char)
NORN_ATOMICS(16, unsigned short)
NORN_ATOMICS(32, unsigned int)
NORN_ATOMICS(64, unsigned long)
NORN_ATOMICS(128, int128)

// The names are builtins of the compiler, hence the detour by assembler names. For smaller objects, with which
// compilers need no help, the same would change what the builtins do, in this file too.

#define NORN_NAMED(result, name, parameters)                                          \
  NORN_EXPORT result norn_atomic_##name##_16 parameters asm("__atomic_" #name "_16"); \
  result norn_atomic_##name##_16 parameters

NORN_NAMED(int128, load, (const volatile int128* a, int order)) { return load(a, order, NORN_SITE); }
NORN_NAMED(void, store, (volatile int128 * a, int128 v, int order)) { store(a, v, order, NORN_SITE); }
NORN_NAMED(int128, exchange, (volatile int128 * a, int128 v, int order)) {
  return update(a, v, order, NORN_SITE, [v](int128) { return v; });
}
NORN_NAMED(bool, compare_exchange, (volatile int128 * a, int128* e, int128 d, int success, int failure)) {
  return compare_exchange_in_memory(a, e, d, success, failure, NORN_SITE);
}

#define NORN_UPDATE(name, result)                                                \
  NORN_NAMED(int128, fetch_##name, (volatile int128 * a, int128 v, int order)) { \
    return update(a, v, order, NORN_SITE, [v](int128 old) { return result; });   \
  }                                                                              \
  NORN_NAMED(int128, name##_fetch, (volatile int128 * a, int128 v, int order)) { \
    const auto next = [v](int128 old) { return result; };                        \
    return next(update(a, v, order, NORN_SITE, next));                           \
  }

NORN_UPDATE(add, (old + v))
NORN_UPDATE(sub, (old - v))
NORN_UPDATE(and, (old & v))
NORN_UPDATE(or, (old | v))
NORN_UPDATE(xor, (old ^ v))
NORN_UPDATE(nand, (~old | ~v))

// Exploration is sequentially consistent: fences change nothing but what happens before what.
NORN_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (controlled()) run().watch().fenced(order);
}
NORN_EXPORT void __tsan_atomic_signal_fence(int) {}
