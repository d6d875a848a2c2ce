#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "frontend/command_line.hpp"
#include "frontend/compiler.hpp"
#include "frontend/words.hpp"

namespace norn::toolchain {

// The system's compiler, which the wrappers call.
struct Compiler {
  std::string program;
  bool clang = false;
};

// The value of an environment variable; empty if it is not set.
std::string environment(const char* name);

// What a command prints.
std::string output_of(const Words& command);

// Where a program is that the shell would find under this name.
std::optional<std::filesystem::path> find_program(const std::string& name);

Compiler select_compiler(Language language);

// Norn's plugin for this compiler; empty if there is none.
std::filesystem::path plugin_for(const Compiler& compiler);

// What Norn adds to the user's flags when it links.
Words link_flags(const Compiler& compiler);

// The command for a command line that does not link.
Words compile_command(const Compiler& compiler, const CommandLine& line);

// The command that compiles one source of a command line that also links. The dependency file and its target get
// the names that the driver derives from the final output, which the temporary object does not tell it.
Words object_command(const Compiler& compiler, const CommandLine& line, const Argument& source,
                     const std::filesystem::path& object);

// The command that links a command line's other inputs with the objects of its sources.
Words link_command(const Compiler& compiler, const CommandLine& line, const Words& objects);

}  // namespace norn::toolchain
