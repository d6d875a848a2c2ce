#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/option_table.hpp"

// Completion for shells, made from the same table of options that the command line is read with.

namespace norn {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// A word between single quotes, for any of the shells.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string words(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, " ")); }

std::vector<std::string> option_names(const ListedCommand& command) {
  std::vector<std::string> names;
  for (const ListedOption& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> first_words(const CLI::App& app) {
  std::vector<std::string> list;
  for (const ListedCommand& command : listed_subcommands(app)) list.push_back(command.name);
  for (const std::string& name : option_names(listed(app))) list.push_back(name);
  return list;
}

/// What bash offers for the value of an option.
std::string bash_value(const ListedOption& option) {
  if (!option.choices.empty()) return fmt::format("_norn_words {}", quoted(words(option.choices)));
  if (option.value == "FILE") return "_norn_files -f";
  return option.value == "DIRECTORY" ? "_norn_files -d" : ":";
}

std::string bash(const CLI::App& app) {
  std::string values;
  std::string options;
  for (const ListedCommand& command : listed_subcommands(app)) {
    for (const ListedOption& option : command.options) {
      if (option.value.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
      values += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, " | "), bash_value(option));
    }
    options += fmt::format("      {}) _norn_words {} ;;\n", command.name, quoted(words(option_names(command))));
  }
  constexpr std::string_view script = R"(# bash completion for norn

_norn_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_norn_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_norn() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} word
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _norn_words @FIRST@
    return
  fi
  # --option=value is three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  # After -- come the arguments of the program.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == -- ]]; then
      _norn_files -f
      return
    fi
  done
  case $command:$previous in
@VALUES@  esac
  if [[ $current == -* ]]; then
    case $command in
@OPTIONS@    esac
  else
    _norn_files -f
  fi
}

complete -F _norn norn
)";
  std::string text = replaced(std::string(script), "@FIRST@", quoted(words(first_words(app))));
  return replaced(replaced(text, "@VALUES@", values), "@OPTIONS@", options);
}

/// A description in the specification of an option or command of zsh.
std::string zsh_text(const std::string& text) {
  return replaced(replaced(replaced(text, "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_value(const ListedOption& option) {
  if (option.value.empty()) return "";
  if (!option.choices.empty()) return fmt::format(":{}:({})", option.value, words(option.choices));
  const std::string action = option.value == "FILE" ? "_files" : option.value == "DIRECTORY" ? "_directories" : "";
  return fmt::format(":{}:{}", option.value, action);
}

std::string zsh(const CLI::App& app) {
  std::string commands;
  std::string arguments;
  for (const ListedCommand& command : listed_subcommands(app)) {
    commands += fmt::format("    {}\n", quoted(command.name + ":" + zsh_text(command.help)));
    // -S: what comes after -- belongs to the program.
    arguments += fmt::format("    {})\n      _arguments -S", command.name);
    for (const ListedOption& option : command.options)
      for (const std::string& name : option.names)
        arguments += " \\\n        " + quoted(fmt::format("{}[{}]{}", name, zsh_text(option.help), zsh_value(option)));
    for (const ListedOption& argument : command.arguments)
      arguments += " \\\n        " + quoted(fmt::format("*:{}:_files", argument.value));
    arguments += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef norn

_norn() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}

_norn "$@"
)",
                     commands, arguments);
}

/// Fish knows single quotes and backslashes in them.
std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish(const CLI::App& app) {
  std::string text = "# fish completion for norn\n\n";
  for (const ListedCommand& command : listed_subcommands(app))
    text += fmt::format("complete -c norn -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        fish_quoted(command.help));
  for (const ListedCommand& command : listed_subcommands(app)) {
    if (command.arguments.empty())
      text += fmt::format("complete -c norn -n '__fish_seen_subcommand_from {}' -f\n", command.name);
    for (const ListedOption& option : command.options) {
      text += fmt::format("complete -c norn -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty())
        text += fmt::format(" -x -a {}", fish_quoted(words(option.choices)));
      else if (option.value == "DIRECTORY")
        text += " -x -a '(__fish_complete_directories)'";
      else if (!option.value.empty())
        text += option.value == "FILE" ? " -r -F" : " -x";
      text += fmt::format(" -d {}\n", fish_quoted(option.help));
    }
  }
  return text;
}

struct Shell {
  const char* name;
  std::string (*write)(const CLI::App& app);
};

constexpr Shell shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

}  // namespace

void add_completion(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("completion", "Print what makes a shell complete words for norn")->group("");
  const auto wanted = std::make_shared<std::string>();
  const auto file = std::make_shared<std::string>("-");
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  command->add_option("shell", *wanted, "The shell")->required()->check(CLI::IsMember(names));
  command->add_option("--output", *file, "Write it to this file")->type_name("FILE");
  command->callback([&app, wanted, file, &exit_code] {
    require_writable(*file);
    for (const Shell& shell : shells)
      if (*wanted == shell.name) write_file(*file, shell.write(app));
    exit_code = 0;
  });
}

}  // namespace norn
