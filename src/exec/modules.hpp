#pragma once

#include <nlohmann/json_fwd.hpp>

namespace norn::exec {

/// Where the program and its libraries lie, so that the command can name addresses.
nlohmann::json modules();

}  // namespace norn::exec
