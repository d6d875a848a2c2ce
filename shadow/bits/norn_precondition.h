// How Norn's shadow headers report a broken precondition of the standard: as misuse, which `norn check` shows with the
// schedule that led to it, and which ends a native run. A call is checked with the value that its only atomic operation
// returned, so the check adds no scheduling point.

#ifndef _NORN_PRECONDITION_H
#define _NORN_PRECONDITION_H 1

#pragma GCC system_header

#include <norn/runtime_abi.h>

#pragma GCC visibility push(default)
namespace std {
namespace __detail {

inline void __require(bool __holds, const char* __broken) noexcept {
  if (__builtin_expect(!__holds, false)) ::norn_misuse(__broken);
}

}  // namespace __detail
}  // namespace std
#pragma GCC visibility pop

#endif
