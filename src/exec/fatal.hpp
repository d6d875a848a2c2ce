#pragma once

#include <string_view>

namespace norn::exec {

/// Norn itself cannot go on: says why (to the command that started the exploration, if any) and ends the process.
[[noreturn]] void fatal(std::string_view message);

}  // namespace norn::exec
