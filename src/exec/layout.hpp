#pragma once

#include <string>

namespace norn::exec {

/// What the program and its libraries are and where they lie, one line each: their addresses mean the same in every
/// process with the same layout.
std::string layout();

/// What is another one since `before`, in a sentence; empty if nothing is.
std::string difference_of_layouts(const std::string& before, const std::string& now);

}  // namespace norn::exec
