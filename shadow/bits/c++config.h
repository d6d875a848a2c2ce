// <bits/c++config.h>, the first of all headers of the C++ library, for programs compiled by norn-c++ -*- C++ -*-

#pragma GCC system_header

#include_next <bits/c++config.h>
#include <bits/norn_builtins.h>
