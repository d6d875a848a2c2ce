#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace norn {

/// An option that names a file. No name would be taken for a file that nobody asked for, which is then missing.
inline CLI::Option* add_file_option(CLI::App& command, const std::string& option, std::string& file,
                                    const std::string& help, const std::string& kind = "FILE") {
  const auto check = [](const std::string& name) { return name.empty() ? "a name is missing" : std::string(); };
  return command.add_option(option, file, help)->type_name(kind)->check(CLI::Validator(check, ""));
}

}  // namespace norn
