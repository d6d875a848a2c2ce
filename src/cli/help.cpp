#include "cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "cli/option_table.hpp"
#include "report/style.hpp"

namespace norn {
namespace {

constexpr unsigned width_when_piped = 80;
constexpr std::size_t usual_column = 30;

std::size_t column(std::size_t width) { return std::min(usual_column, width * 3 / 8); }

/// "--threads NAME", "program ...".
std::string name_of(const ListedOption& option) {
  std::string name = option.names.empty() ? option.value : fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.names.empty() && !option.value.empty()) name += " " + option.value;
  return option.several ? name + " ..." : name;
}

std::string meaning_of(const ListedOption& option) {
  std::vector<std::string> remarks;
  if (!option.choices.empty()) remarks.push_back(fmt::format("{}", fmt::join(option.choices, ", ")));
  if (!option.usual.empty()) remarks.push_back("default: " + option.usual);
  if (option.required) remarks.emplace_back("required");
  if (remarks.empty()) return option.help;
  return fmt::format("{} ({})", option.help, fmt::join(remarks, "; "));
}

/// Each line by itself.
std::string wrap_lines(const std::string& text, std::size_t width) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += line.empty() ? "\n" : wrap(line, width, 0);
  return result;
}

}  // namespace

std::string explained(const std::string& name, const std::string& text, std::size_t column, std::size_t width) {
  const std::string rest = wrap(text, width, column);
  if (rest.empty()) return name + "\n";
  if (display_width(name) + 1 > column) return fmt::format("{}\n{}", name, rest);
  return pad(name, column) + rest.substr(column);
}

HelpFormatter::HelpFormatter() : width_(style_of_output(true, width_when_piped).width) {}

std::string HelpFormatter::make_option(const CLI::Option* option, bool /*is_positional*/) const {
  const ListedOption described = listed(*option);
  return explained("  " + name_of(described), meaning_of(described), column(width_), width_);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return explained("  " + command->get_name(), command->get_description(), column(width_), width_);
}

std::string HelpFormatter::make_description(const CLI::App* command) const {
  return wrap_lines(command->get_description(), width_);
}

std::string HelpFormatter::make_footer(const CLI::App* command) const {
  return wrap_lines(command->get_footer(), width_);
}

}  // namespace norn
