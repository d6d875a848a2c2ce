// <bits/basic_string.tcc> for programs compiled by norn-c++ -*- C++ -*-
// Until C++17 the functions of std::string are instantiated in the C++ library, where no instrumentation sees what they
// access. With this value, which is libstdc++'s own for that purpose, programs instantiate them as from C++20 on.

#pragma GCC system_header

#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
