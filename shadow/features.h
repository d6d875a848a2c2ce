// <features.h> for programs compiled by norn-cc and norn-c++
// With _FORTIFY_SOURCE the headers of the C library give memcpy and its like other names, under which nobody sees what
// they access, and have the compiler put them in place. Whether they overrun a block is checked by Norn.

#pragma GCC system_header

#undef _FORTIFY_SOURCE
#include_next <features.h>
