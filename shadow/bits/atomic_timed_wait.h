// Nothing in libstdc++ 12 but its own <semaphore>, which Norn replaces, waits for an atomic with a time limit;
// the original header would not fit Norn's <bits/atomic_wait.h>. What it includes stays available.

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#endif

#if _GLIBCXX_RELEASE != 12
#include_next <bits/atomic_timed_wait.h>
#elif !defined _GLIBCXX_ATOMIC_TIMED_WAIT_H
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1

#pragma GCC system_header

#include <bits/atomic_wait.h>
#include <bits/chrono.h>
#include <bits/this_thread_sleep.h>

#endif
