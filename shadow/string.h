// <string.h> for programs compiled by norn-cc and norn-c++

#pragma GCC system_header

#include <bits/norn_builtins.h>
#include_next <string.h>
