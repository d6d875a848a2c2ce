// <bits/std_mutex.h> for programs compiled by norn-c++ -*- C++ -*-
// Whether a wait with a time limit was in time is found out by looking at the clock afterwards. Under Norn time is
// virtual, and clocks show hardly more than who waited for whom: what counts is whether the thread was notified.

#pragma GCC system_header

#if !defined _NORN_STD_MUTEX_H && __has_include(<bits/gthr.h>)
#define _NORN_STD_MUTEX_H 1

#include <bits/c++config.h>
#include <bits/gthr.h>
#include <norn/runtime_abi.h>

#if defined __GTHREADS && _GLIBCXX_RELEASE == 12
#define __gthread_cond_timedwait(_COND, _MUTEX, _TIME) ::norn_condition_wait_until(_COND, _MUTEX, -1, _TIME)
#define pthread_cond_clockwait(_COND, _MUTEX, _CLOCK, _TIME) ::norn_condition_wait_until(_COND, _MUTEX, _CLOCK, _TIME)
#include_next <bits/std_mutex.h>
#undef __gthread_cond_timedwait
#undef pthread_cond_clockwait
#endif

#endif

#include_next <bits/std_mutex.h>
