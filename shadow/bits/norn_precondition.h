// How Norn's shadow headers report a broken precondition of the standard: as a failed assertion, which
// `norn check` shows with the schedule that led to it, and which ends a native run. A call is checked with the
// value that its only atomic operation returned, so the check adds no scheduling point.

#ifndef _NORN_PRECONDITION_H
#define _NORN_PRECONDITION_H 1

#pragma GCC system_header

extern "C" void __assert_fail(const char*, const char*, unsigned, const char*) noexcept __attribute__((__noreturn__));

#pragma GCC visibility push(default)
namespace std {
namespace __detail {

inline void __require(bool __holds, const char* __precondition, const char* __file, unsigned __line,
                      const char* __function) noexcept {
  if (__builtin_expect(!__holds, false)) ::__assert_fail(__precondition, __file, __line, __function);
}

}  // namespace __detail
}  // namespace std
#pragma GCC visibility pop

#endif
