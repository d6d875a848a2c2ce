#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace norn {

/// Which program, and how it is compiled.
struct ProgramOptions {
  std::vector<std::string> program;
  std::vector<std::string> arguments;
  std::string cflags;
  std::string ldflags;
  std::string standard = "c++20";
};

void add_to(CLI::App& command, ProgramOptions& options);

/// Compiles it unless it is an executable. `plain` is the option of that name.
Program prepare(const ProgramOptions& options, const std::string& plain);

/// The same with a bug in it (planted/): compiled with the same flags, or loaded with an executable.
Program prepare_with_planted_bug(const ProgramOptions& options, const std::string& plain);

}  // namespace norn
