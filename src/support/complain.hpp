#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace norn {

/// Tells the user something on standard error. That nobody may be there to read it is no reason to fail.
template <typename... Arguments>
void complain(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  std::fputs(fmt::format(text, std::forward<Arguments>(arguments)...).c_str(), stderr);
}

}  // namespace norn
