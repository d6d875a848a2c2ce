#pragma once

// For tests that look at more than the expected outcomes of a case.

#include "norn_check.hpp"
#include "primitive.hpp"

namespace norn::test {

/// The executable of a program, built by `compiler`: gcc or clang.
std::string program(const std::string& name, const std::string& compiler = "gcc");

/// Explores all of it, also beyond bugs.
Checked explore(const Case& expected, std::vector<std::string> options = {}, const std::string& compiler = "gcc");

}  // namespace norn::test
