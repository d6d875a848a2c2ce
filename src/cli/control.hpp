#pragma once

#include <nlohmann/json.hpp>

#include "report/control.hpp"

namespace norn {

/// Why a verdict about a program that only was linked by norn-c++ says little.
inline constexpr const char* not_instrumented =
    "the program is linked with Norn, but none of its code is instrumented, so that its atomic operations and accesses "
    "to "
    "memory were not seen: compile it with norn-c++, too";

/// From what the runtime sent, and from what the files of the program and its libraries are.
ReportedControl control_of(const nlohmann::json& sent);

}  // namespace norn
