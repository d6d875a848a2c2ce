#pragma once

#include <cmath>

namespace norn {

// Programs in C may have functions of their own called log, exp or pow, which the runtime would call in place of those
// of the C library. Hardly any has a logl.

inline double natural_log(double x) { return static_cast<double>(std::log(static_cast<long double>(x))); }
inline double natural_log1p(double x) { return static_cast<double>(std::log1p(static_cast<long double>(x))); }
inline double exponential(double x) { return static_cast<double>(std::exp(static_cast<long double>(x))); }
inline double power(double base, double exponent) {
  return static_cast<double>(std::pow(static_cast<long double>(base), static_cast<long double>(exponent)));
}

}  // namespace norn
