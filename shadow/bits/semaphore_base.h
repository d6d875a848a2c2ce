// libstdc++ 12 keeps its semaphores' implementation here; Norn's is <semaphore> itself.

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#endif

#if _GLIBCXX_RELEASE != 12
#include_next <bits/semaphore_base.h>
#elif !defined _GLIBCXX_SEMAPHORE_BASE_H
#define _GLIBCXX_SEMAPHORE_BASE_H 1

#pragma GCC system_header

#include <semaphore>

#endif
