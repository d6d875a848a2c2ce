#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace norn {

/// An option of a command, as manual pages and completions show it.
struct ListedOption {
  std::vector<std::string> names;  ///< with their hyphens; empty for an argument without one
  std::string value;               ///< "FILE", "NUMBER"; empty for a flag
  std::vector<std::string> choices;
  std::string help;
  std::string usual;  ///< what it is if it is not given
  bool required = false;
  bool several = false;
};

struct ListedCommand {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<ListedOption> options;
  std::vector<ListedOption> arguments;
};

ListedOption listed(const CLI::Option& option);

/// The command itself, without its subcommands.
ListedCommand listed(const CLI::App& command);

/// The subcommands, without those that the help does not show.
std::vector<ListedCommand> listed_subcommands(const CLI::App& app);

}  // namespace norn
