// How GCC's own names for memcpy and its like, which the C++ library uses everywhere, come to be calls: GCC would put
// them in place as accesses that are not instrumented, and no option but those for the ordinary names keeps it from
// that. Where the value is needed while a program is compiled they stay what they are. Clang instruments them.

#ifndef _NORN_BUILTINS_H
#define _NORN_BUILTINS_H 1

#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 10

#pragma GCC system_header

#ifdef __cplusplus
#define _NORN_CALL(__name, ...) \
  (__builtin_is_constant_evaluated() ? __builtin_##__name(__VA_ARGS__) : __norn_##__name(__VA_ARGS__))
#if __cplusplus >= 201103L
#define _NORN_NAMES(__name) noexcept __asm__(#__name)
#else
#define _NORN_NAMES(__name) throw() __asm__(#__name)
#endif
extern "C" {
#else
#define _NORN_CALL(__name, ...)                                                            \
  (__builtin_constant_p(__builtin_##__name(__VA_ARGS__)) ? __builtin_##__name(__VA_ARGS__) \
                                                         : __norn_##__name(__VA_ARGS__))
#define _NORN_NAMES(__name) __asm__(#__name) __attribute__((__nothrow__))
#endif

#pragma GCC visibility push(default)
void* __norn_memcpy(void*, const void*, __SIZE_TYPE__) _NORN_NAMES(memcpy);
void* __norn_mempcpy(void*, const void*, __SIZE_TYPE__) _NORN_NAMES(mempcpy);
void* __norn_memmove(void*, const void*, __SIZE_TYPE__) _NORN_NAMES(memmove);
void* __norn_memset(void*, int, __SIZE_TYPE__) _NORN_NAMES(memset);
int __norn_memcmp(const void*, const void*, __SIZE_TYPE__) _NORN_NAMES(memcmp);
__SIZE_TYPE__ __norn_strlen(const char*) _NORN_NAMES(strlen);
char* __norn_strcpy(char*, const char*) _NORN_NAMES(strcpy);
char* __norn_stpcpy(char*, const char*) _NORN_NAMES(stpcpy);
char* __norn_strncpy(char*, const char*, __SIZE_TYPE__) _NORN_NAMES(strncpy);
char* __norn_strcat(char*, const char*) _NORN_NAMES(strcat);
char* __norn_strncat(char*, const char*, __SIZE_TYPE__) _NORN_NAMES(strncat);
int __norn_strcmp(const char*, const char*) _NORN_NAMES(strcmp);
int __norn_strncmp(const char*, const char*, __SIZE_TYPE__) _NORN_NAMES(strncmp);
#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#undef _NORN_NAMES

#define __builtin_memcpy(...) _NORN_CALL(memcpy, __VA_ARGS__)
#define __builtin_mempcpy(...) _NORN_CALL(mempcpy, __VA_ARGS__)
#define __builtin_memmove(...) _NORN_CALL(memmove, __VA_ARGS__)
#define __builtin_memset(...) _NORN_CALL(memset, __VA_ARGS__)
#define __builtin_memcmp(...) _NORN_CALL(memcmp, __VA_ARGS__)
#define __builtin_strlen(...) _NORN_CALL(strlen, __VA_ARGS__)
#define __builtin_strcpy(...) _NORN_CALL(strcpy, __VA_ARGS__)
#define __builtin_stpcpy(...) _NORN_CALL(stpcpy, __VA_ARGS__)
#define __builtin_strncpy(...) _NORN_CALL(strncpy, __VA_ARGS__)
#define __builtin_strcat(...) _NORN_CALL(strcat, __VA_ARGS__)
#define __builtin_strncat(...) _NORN_CALL(strncat, __VA_ARGS__)
#define __builtin_strcmp(...) _NORN_CALL(strcmp, __VA_ARGS__)
#define __builtin_strncmp(...) _NORN_CALL(strncmp, __VA_ARGS__)

#endif

#endif
