#pragma once

#include <csignal>
#include <functional>
#include <string_view>

#include "frontend/words.hpp"

namespace norn::toolchain {

using Sink = std::function<void(std::string_view)>;

// The exit code of a command that the user has stopped with Ctrl-C.
inline constexpr int interrupted = 128 + SIGINT;

// Runs a command and returns its exit code; its standard output goes to the sink if there is one.
int run(const Words& command, const Sink& sink = nullptr);

}  // namespace norn::toolchain
