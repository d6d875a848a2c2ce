#pragma once

#include <emmintrin.h>

#include <cstddef>

namespace norn {

/// For sizes at which a call of memcpy, which is interposed, would cost more than the copying.
[[gnu::always_inline]] inline void copy_few(std::byte* to, const std::byte* from, std::size_t size) {
  const auto copy = [to, from](std::size_t i) {
    _mm_storeu_si128(reinterpret_cast<__m128i_u*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(from + i)));
  };
  std::size_t i = 0;
  for (; i + 2 * sizeof(__m128i) <= size; i += 2 * sizeof(__m128i)) {
    copy(i);
    copy(i + sizeof(__m128i));
  }
  for (; i + sizeof(__m128i) <= size; i += sizeof(__m128i)) copy(i);
  for (; i < size; ++i) to[i] = from[i];
}

}  // namespace norn
