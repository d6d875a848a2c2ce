// Norn's replacement of libstdc++'s internal header for C++20 atomic waiting. The original spins, counts waiters
// in a shared pool and enters the kernel; under `norn check` every step of that would be a scheduling point.
// Here a wait is one operation of Norn's runtime followed by the load that the caller asked for.
//
// The names and their meaning are those that the rest of libstdc++ 12 uses: what <atomic>, atomic_ref,
// atomic<shared_ptr>, <stop_token> and so on call to wait for, and announce, a change of a value.

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#endif

#if _GLIBCXX_RELEASE != 12
#include_next <bits/atomic_wait.h>
#elif !defined _GLIBCXX_ATOMIC_WAIT_H
#define _GLIBCXX_ATOMIC_WAIT_H 1

#pragma GCC system_header

// More than this header needs: programs may rely on what the original brings along.
#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <bits/std_mutex.h>
#include <norn/runtime_abi.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <ext/numeric_traits.h>
#include <type_traits>

#define __cpp_lib_atomic_wait 201907L

#pragma GCC visibility push(default)
namespace std {

namespace __detail {

using __platform_wait_t = int;

inline void __thread_yield() noexcept { __gthread_yield(); }

inline void __thread_relax() noexcept {
#if defined __i386__ || defined __x86_64__
  __builtin_ia32_pause();
#else
  __gthread_yield();
#endif
}

template <typename _Tp>
bool __same_bytes(const _Tp& __a, const _Tp& __b) noexcept {
  return __builtin_memcmp(&__a, &__b, sizeof(_Tp)) == 0;
}

}  // namespace __detail

// Waits until the value that __load returns differs from __old. The runtime looks at the value itself, so
// asking it first costs no load in a thread that has to block.
template <typename _Tp, typename _Load>
void __atomic_wait_address_v(const _Tp* __address, _Tp __old, _Load __load) noexcept {
  do {
    ::norn_address_wait(__address, sizeof(_Tp), &__old);
  } while (__detail::__same_bytes(__old, static_cast<_Tp>(__load())));
}

// Waits until __done, which depends on the value at __address, holds.
template <typename _Tp, typename _Predicate>
void __atomic_wait_address(const _Tp* __address, _Predicate __done) noexcept {
  for (;;) {
    remove_cv_t<_Tp> __seen;
    __atomic_load(__address, &__seen, __ATOMIC_ACQUIRE);
    if (__done()) return;
    ::norn_address_wait(__address, sizeof(_Tp), &__seen);
  }
}

template <typename _Predicate>
void __atomic_wait_address_bare(const __detail::__platform_wait_t* __address, _Predicate __done) noexcept {
  std::__atomic_wait_address(__address, __done);
}

template <typename _Tp>
void __atomic_notify_address(const _Tp* __address, bool __all) noexcept {
  ::norn_address_notify(__address, __all);
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t* __address, bool __all) noexcept {
  ::norn_address_notify(__address, __all);
}

}  // namespace std
#pragma GCC visibility pop

#endif
