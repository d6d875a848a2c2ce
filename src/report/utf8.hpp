#pragma once

#include <cstddef>
#include <string_view>

namespace norn {

struct Character {
  char32_t code = 0;
  std::size_t size = 1;
  bool valid = false;
};

/// The first character of a text that is not empty. What is no UTF-8 is one byte that is not valid.
Character decode(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace norn
