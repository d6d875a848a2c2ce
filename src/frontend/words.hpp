#pragma once

#include <string>
#include <vector>

// The namespace of what stands behind compiler.hpp.
namespace norn::toolchain {

// A command, or a part of one.
using Words = std::vector<std::string>;

inline void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

}  // namespace norn::toolchain
