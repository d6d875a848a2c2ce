// For programs that are written in C++: compiled with the same flags as they are.
#include "lost_update.c"
