#pragma once

#ifdef SMALL
inline constexpr int capacity = 1;
#else
inline constexpr int capacity = 100;
#endif
