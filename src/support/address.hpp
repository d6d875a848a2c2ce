#pragma once

#include <cstdint>

namespace norn {

inline std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace norn
