#pragma once

#include <span>
#include <string_view>

namespace norn {

/// A kind of thing that Norn reports, in words that do not depend on the program.
struct Kind {
  std::string_view name;
  std::string_view title;
  std::string_view description;
};

/// All kinds of bugs and warnings there are.
std::span<const Kind> kinds();

/// Its place among all kinds; that of "other" if there is none of this name.
std::size_t number_of_kind(std::string_view name);

}  // namespace norn
