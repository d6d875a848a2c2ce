#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

namespace norn::exec {

/// Where the program and its libraries lie, so that the command can name addresses.
nlohmann::json modules();

/// How many bytes below the control block of a thread its thread-local variables begin.
std::size_t size_of_thread_locals();

}  // namespace norn::exec
