// <bits/shared_ptr_atomic.h> for programs compiled by norn-c++ -*- C++ -*-
// Some versions of libstdc++ let go of the lock inside std::atomic<std::shared_ptr> with a relaxed operation, which is
// a data race that its users can do nothing about. Stronger orders change nothing else: exploration is sequentially
// consistent.

#pragma GCC system_header

#include <bits/atomic_base.h>
#include <bits/shared_ptr.h>

#define memory_order_relaxed memory_order_seq_cst
#include_next <bits/shared_ptr_atomic.h>
#undef memory_order_relaxed
