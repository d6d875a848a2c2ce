#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/option_table.hpp"
#include "support/error.hpp"

// Manual pages, made from the same table of options that the command line is read with.

namespace norn {
namespace {

/// Text as roff takes it.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '`')
      result += "\\(ga";
    else if (c == '\n')
      result += "\n.br\n";
    else
      result += c;
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

/// Ends with a full stop, or with what it ends with anyway.
std::string sentence(const std::string& text) {
  return roff(text) + (text.ends_with('?') || text.ends_with('.') ? "" : ".");
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string title(const std::string& page, const std::string& help) {
  return fmt::format(".TH {} 1 \"\" \"norn {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(upper(page)),
                     NORN_VERSION, roff(page), roff(help));
}

std::string names(const ListedOption& option) {
  std::vector<std::string> parts;
  for (const std::string& name : option.names) parts.push_back(bold(name));
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (!option.value.empty()) text += " " + italic(option.value);
  return text;
}

std::string describe(const ListedOption& option) {
  std::string text =
      fmt::format(".TP\n{}\n{}\n", option.names.empty() ? italic(option.value) : names(option), sentence(option.help));
  if (!option.choices.empty()) {
    std::vector<std::string> choices;
    for (const std::string& choice : option.choices) choices.push_back(bold(choice));
    text += fmt::format("One of {}.\n", fmt::join(choices, ", "));
  }
  if (!option.usual.empty()) text += fmt::format("The default is {}.\n", bold(option.usual));
  return text;
}

std::string synopsis(const ListedCommand& command) {
  std::string text = bold("norn " + command.name);
  for (const ListedOption& argument : command.arguments)
    text += " " + italic(argument.value) + (argument.several ? "..." : "");
  for (const ListedOption& option : command.options)
    if (option.required) text += " " + names(option);
  text += " [" + italic("options") + "]";
  const auto runs_program = [](const ListedOption& argument) { return argument.value == "program"; };
  if (std::any_of(command.arguments.begin(), command.arguments.end(), runs_program))
    text += " [" + bold("--") + " " + italic("argument") + "...]";
  return text + "\n";
}

std::string page_of(const ListedCommand& command) {
  std::string text = title("norn-" + command.name, command.help) + ".SH SYNOPSIS\n" + synopsis(command);
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const ListedOption& argument : command.arguments) text += describe(argument);
  text += ".SH OPTIONS\n";
  for (const ListedOption& option : command.options) text += describe(option);
  if (!command.footer.empty()) text += ".SH NOTES\n" + roff(command.footer) + "\n";
  return text + ".SH SEE ALSO\n.BR norn (1)\n";
}

/// What no option says.
constexpr std::string_view about_norn = R"(.SH EXIT STATUS
Of
.BR "norn check" :
.TP
.B 0
every behaviour was explored and all are correct
.TP
.B 1
a bug was found
.TP
.B 2
usage or input error
.TP
.B 3
no bug was found, but not everything was explored
.TP
.B 4
an internal error of Norn
.SH ENVIRONMENT
.TP
.B NORN_COMPILER
The compiler behind norn check, norn\-c++ and norn\-cc instead of g++ and gcc: for example clang++.
.TP
.B NORN_CACHE
Where compiled programs are kept.
.TP
.B NO_COLOR
No colours even on a terminal.
.TP
.B COLUMNS
How wide reports are that do not go to a terminal.
.TP
.BR GITHUB_ACTIONS ", " GITHUB_WORKSPACE
If the first is true, norn check prints annotations; names of files begin at the second.
.SH FILES
.TP
.I norn\-traces/
The recorded schedules of bugs, for
.B norn replay
and
.BR "norn show" .
)";

std::string main_page(const CLI::App& app) {
  const ListedCommand norn = listed(app);
  std::string text = title("norn", "test concurrent C and C++ programs systematically") +
                     ".SH SYNOPSIS\n.B norn\n.I command\n.RI [ options ]\n.SH DESCRIPTION\n" + roff(norn.help) +
                     "\n.SH COMMANDS\n";
  std::string others;
  for (const ListedCommand& command : listed_subcommands(app)) {
    text += fmt::format(".TP\n{}\n{}\n", bold(command.name), sentence(command.help));
    others += fmt::format(".BR {} (1),\n", roff("norn-" + command.name));
  }
  text += ".SH OPTIONS\n";
  for (const ListedOption& option : norn.options) text += describe(option);
  return text + std::string(about_norn) + ".SH SEE ALSO\n" + others + ".BR norn\\-c++ (1)\n";
}

std::string page(const CLI::App& app, const std::string& name) {
  if (name.empty()) return main_page(app);
  for (const ListedCommand& command : listed_subcommands(app))
    if (command.name == name) return page_of(command);
  throw InputError(fmt::format("there is no command `{}`", name));
}

void write_all_pages(const CLI::App& app, const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError(fmt::format("cannot create the directory {}", directory.string()));
  write_file(directory / "norn.1", main_page(app));
  for (const ListedCommand& command : listed_subcommands(app))
    write_file(directory / fmt::format("norn-{}.1", command.name), page_of(command));
}

}  // namespace

void add_manual(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("manual", "Print the manual page of a command")->group("");
  const auto name = std::make_shared<std::string>();
  const auto directory = std::make_shared<std::string>();
  command->add_option("command", *name, "The command; without one, norn itself");
  command->add_option("--directory", *directory, "Write all pages to this directory")->type_name("DIRECTORY");
  command->callback([&app, name, directory, &exit_code] {
    if (directory->empty())
      write_file("-", page(app, *name));
    else
      write_all_pages(app, *directory);
    exit_code = 0;
  });
}

}  // namespace norn
