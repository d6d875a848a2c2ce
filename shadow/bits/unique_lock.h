// <bits/unique_lock.h> for programs compiled by norn-c++ -*- C++ -*-
// std::lock takes one mutex and tries the others, again and again, until it has them all. Nobody can see these attempts
// but who tries to lock one of them, so under Norn it is one operation, which happens when all of them are free. Here
// are its overloads for std::mutex: <mutex> includes this file before it defines std::lock for all others, and
// std::scoped_lock.

#pragma GCC system_header

#include_next <bits/unique_lock.h>

#if !defined _NORN_UNIQUE_LOCK && defined _GLIBCXX_UNIQUE_LOCK_H && defined _GLIBCXX_HAS_GTHREADS && \
    __cplusplus >= 201103L
#define _NORN_UNIQUE_LOCK 1

#include <bits/std_mutex.h>
#include <norn/runtime_abi.h>

#include <type_traits>

namespace std {

template <typename... _Locks>
typename enable_if<__and_<is_same<_Locks, mutex>...>::value>::type lock(mutex& __first, mutex& __second,
                                                                        _Locks&... __others) {
  void* const __all[] = {__first.native_handle(), __second.native_handle(), __others.native_handle()...};
  ::norn_lock_together(__all, 2 + sizeof...(_Locks));
}

/// One that has no mutex, or holds it already, says so by an exception.
inline void* __norn_mutex_of(unique_lock<mutex>& __lock) {
  if (__lock.mutex() == nullptr || __lock.owns_lock()) __lock.lock();
  return __lock.mutex()->native_handle();
}

template <typename... _Locks>
typename enable_if<__and_<is_same<_Locks, unique_lock<mutex>>...>::value>::type lock(unique_lock<mutex>& __first,
                                                                                     unique_lock<mutex>& __second,
                                                                                     _Locks&... __others) {
  void* const __mutexes[] = {__norn_mutex_of(__first), __norn_mutex_of(__second), __norn_mutex_of(__others)...};
  ::norn_lock_together(__mutexes, 2 + sizeof...(_Locks));
  unique_lock<mutex>* const __locks[] = {&__first, &__second, &__others...};
  for (unique_lock<mutex>* __lock : __locks) *__lock = unique_lock<mutex>(*__lock->release(), adopt_lock);
}

}  // namespace std

#endif
