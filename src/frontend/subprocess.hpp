#pragma once

#include <functional>
#include <string_view>

#include "frontend/words.hpp"

namespace norn::toolchain {

using Sink = std::function<void(std::string_view)>;

// Runs a command and returns its exit code; its standard output goes to the sink if there is one.
int run(const Words& command, const Sink& sink = nullptr);

}  // namespace norn::toolchain
