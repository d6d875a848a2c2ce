#include "report/utf8.hpp"

#include <array>

namespace norn {

Character decode(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte < 0x80) return {byte, 1, true};
  const std::size_t size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  if (byte < 0xc2 || byte > 0xf4 || text.size() < size) return {};
  char32_t code = byte & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80) return {};
    code = code << 6 | (next & 0x3fU);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return {code, size, code >= least[size] && code < 0x110000 && !surrogate};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character first = decode(text);
    if (!first.valid) return false;
    text.remove_prefix(first.size);
  }
  return true;
}

}  // namespace norn
