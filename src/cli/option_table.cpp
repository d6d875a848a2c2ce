#include "cli/option_table.hpp"

#include <algorithm>
#include <sstream>

namespace norn {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The library describes values as "TEXT:{fiber,os}", "UINT:NUMBER" or "FLOAT:FLOAT in [0 - 1]".
void describe_value(const std::string& type, ListedOption& option) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  if (open != std::string::npos && close != std::string::npos && open < close) {
    option.choices = split(type.substr(open + 1, close - open - 1), ',');
    option.value = "NAME";
    return;
  }
  const std::string last = type.substr(type.rfind(':') + 1);
  option.value = last.substr(0, last.find(' '));
  for (const char* const number : {"UINT", "INT", "FLOAT"})
    if (option.value == number) option.value = "NUMBER";
}

}  // namespace

ListedOption listed(const CLI::Option& option) {
  ListedOption result;
  if (option.get_positional()) {
    result.value = option.get_name(true);
  } else {
    result.names = split(option.get_name(false, true), ',');
  }
  if (!option.get_positional() && option.get_items_expected_max() > 0) describe_value(option.get_type_name(), result);
  result.help = option.get_description();
  result.usual = option.get_default_str();
  result.required = option.get_required();
  result.several = option.get_items_expected_max() > 1;
  return result;
}

ListedCommand listed(const CLI::App& command) {
  ListedCommand result{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? result.arguments : result.options).push_back(listed(*option));
  }
  return result;
}

std::vector<ListedCommand> listed_subcommands(const CLI::App& app) {
  std::vector<ListedCommand> list;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) list.push_back(listed(*command));
  return list;
}

}  // namespace norn
