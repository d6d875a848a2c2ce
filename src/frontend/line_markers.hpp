#pragma once

#include <filesystem>
#include <set>
#include <string_view>

namespace norn::toolchain {

// The files that preprocessed text comes from, without those of the system, as the compiler's line markers name them:
// # 1 "queue.hpp" 1
std::set<std::filesystem::path> files_of(std::string_view preprocessed);

}  // namespace norn::toolchain
