#pragma once

#include <CLI/CLI.hpp>

namespace norn {

// Each adds one command to the command line. The command's exit code is left in `exit_code`.

/// `program_arguments` are those after `--`, `words` all of the command line.
void add_check(CLI::App& app, const std::vector<std::string>& words, const std::vector<std::string>& program_arguments,
               int& exit_code);
void add_accept(CLI::App& app, const std::vector<std::string>& program_arguments, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_strategies(CLI::App& app, int& exit_code);
/// For packages: these say of the other commands what people and shells want to know.
void add_manual(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);

}  // namespace norn
