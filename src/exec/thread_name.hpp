#pragma once

#include <array>

namespace norn::exec {

/// What a thread calls itself, as Linux keeps it: at most 15 characters and a zero.
using ThreadName = std::array<char, 16>;

}  // namespace norn::exec
