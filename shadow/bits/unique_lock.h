// <bits/unique_lock.h> for programs compiled by norn-c++ -*- C++ -*-
// std::lock takes one lock and tries the others, again and again, until it has them all. Nobody can see these attempts
// but who tries to lock one of them, so under Norn it is one operation, which happens when all of them are free. Here
// are its overloads for the mutexes of the standard library: <mutex> includes this file before it defines std::lock for
// all others, and std::scoped_lock.

#pragma GCC system_header

#include_next <bits/unique_lock.h>

#if !defined _NORN_UNIQUE_LOCK && defined _GLIBCXX_UNIQUE_LOCK_H && defined _GLIBCXX_HAS_GTHREADS && \
    __cplusplus >= 201103L
#define _NORN_UNIQUE_LOCK 1

#include <bits/std_mutex.h>
#include <norn/runtime_abi.h>

#include <type_traits>

namespace std {

// Most of them are defined later, in <mutex> and <shared_mutex>.
class recursive_mutex;
class timed_mutex;
class recursive_timed_mutex;
class shared_mutex;
class shared_timed_mutex;

/// 0: it is none of them, or is not known to be one.
template <typename _Lock>
struct __norn_kind : integral_constant<int, 0> {};
template <>
struct __norn_kind<mutex> : integral_constant<int, 1> {};
template <>
struct __norn_kind<recursive_mutex> : integral_constant<int, 1> {};
template <>
struct __norn_kind<timed_mutex> : integral_constant<int, 1> {};
template <>
struct __norn_kind<recursive_timed_mutex> : integral_constant<int, 1> {};
template <>
struct __norn_kind<shared_mutex> : integral_constant<int, 2> {};
template <>
struct __norn_kind<shared_timed_mutex> : integral_constant<int, 2> {};
template <typename _Mutex>
struct __norn_kind<unique_lock<_Mutex>> : __norn_kind<_Mutex> {};

template <typename _Mutex>
inline ::norn_lockable __norn_lockable(_Mutex& __mutex) {
  // All of them consist of one of the C library's, and not all of them say so.
  return {&__mutex, __norn_kind<_Mutex>::value == 2};
}
/// One that has no mutex, or holds it already, says so by an exception.
template <typename _Mutex>
inline ::norn_lockable __norn_lockable(unique_lock<_Mutex>& __lock) {
  if (__lock.mutex() == nullptr || __lock.owns_lock()) __lock.lock();
  return __norn_lockable(*__lock.mutex());
}

template <typename _Mutex>
inline void __norn_locked(_Mutex&) {}
template <typename _Mutex>
inline void __norn_locked(unique_lock<_Mutex>& __lock) {
  __lock = unique_lock<_Mutex>(*__lock.release(), adopt_lock);
}

template <typename... _Locks>
inline void __norn_lock(_Locks&... __all) {
  ::norn_lockable __locks[] = {__norn_lockable(__all)...};
  ::norn_lock_together(__locks, sizeof...(_Locks));
  const int __done[] = {(__norn_locked(__all), 0)...};
  (void)__done;
}

template <typename... _Locks>
using __norn_if_known = typename enable_if<__and_<__bool_constant<(__norn_kind<_Locks>::value != 0)>...>::value>::type;

#define _NORN_LOCK(_FIRST)                                                                              \
  template <typename _Second, typename... _Others>                                                      \
  __norn_if_known<_Second, _Others...> lock(_FIRST& __first, _Second& __second, _Others&... __others) { \
    __norn_lock(__first, __second, __others...);                                                        \
  }
_NORN_LOCK(mutex)
_NORN_LOCK(recursive_mutex)
_NORN_LOCK(timed_mutex)
_NORN_LOCK(recursive_timed_mutex)
_NORN_LOCK(shared_mutex)
_NORN_LOCK(shared_timed_mutex)
#undef _NORN_LOCK

template <typename _Mutex, typename _Second, typename... _Others>
__norn_if_known<unique_lock<_Mutex>, _Second, _Others...> lock(unique_lock<_Mutex>& __first, _Second& __second,
                                                               _Others&... __others) {
  __norn_lock(__first, __second, __others...);
}

}  // namespace std

#endif
