#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "exec/engine.hpp"

namespace norn::exec {

/// Explores `body` on behalf of the command at the other end of `connection`: reads the options from it, writes
/// what was found to it, and ends the process.
[[noreturn]] void run_session(int connection, Body body);

/// Explores `body` in this process and returns what was found, in the same form. `stack` is the part of the calling
/// thread's stack that runs may write to.
nlohmann::json explore(const Options& options, Body body, std::span<std::byte> stack);

}  // namespace norn::exec
