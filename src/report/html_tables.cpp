#include "report/html_tables.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>

#include "report/style.hpp"

namespace norn {
namespace {

using nlohmann::json;

constexpr int context_lines = 4;
constexpr std::size_t longest_line = 300;

/// Tabs as spaces: the page shows lines as they are, and control characters have no width.
std::string without_tabs(const std::string& line) {
  std::string text;
  for (const char c : line) text += c == '\t' ? std::string(4 - text.size() % 4, ' ') : std::string(1, c);
  return text;
}

json lines_of(const std::string& file, const std::set<int>& wanted) {
  json lines = json::object();
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return lines;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; number <= *wanted.rbegin() && std::getline(stream, line); ++number)
    if (wanted.contains(number)) lines[std::to_string(number)] = shorten(printable(without_tabs(line)), longest_line);
  return lines;
}

}  // namespace

int HtmlTables::place(const Place& place) {
  if (place.file.empty() && place.function.empty()) return -1;
  const Key key{place.file, place.line, place.function, place.inlined};
  const auto [entry, is_new] = numbers_.try_emplace(key, static_cast<int>(places_.size()));
  if (is_new) places_.push_back(place);
  return entry->second;
}

int HtmlTables::stack(const std::vector<Place>& stack) {
  if (stack.empty()) return -1;
  std::vector<int> numbers;
  for (const Place& frame : stack) numbers.push_back(place(frame));
  const auto [entry, is_new] = stack_numbers_.try_emplace(numbers, static_cast<int>(stacks_.size()));
  if (is_new) stacks_.push_back(numbers);
  return entry->second;
}

json HtmlTables::places() const {
  json list = json::array();
  for (const Place& place : places_)
    list.push_back(
        {{"file", place.file}, {"line", place.line}, {"function", place.function}, {"inlined", place.inlined}});
  return list;
}

json HtmlTables::sources() const {
  std::map<std::string, std::set<int>> wanted;
  for (const Place& place : places_) {
    // Nobody looks for a bug in the headers of the system.
    if (place.file.empty() || place.file.starts_with("/usr/") || place.line <= 0) continue;
    for (int line = place.line - context_lines; line <= place.line + context_lines; ++line)
      wanted[place.file].insert(line);
  }
  json sources = json::object();
  for (const auto& [file, lines] : wanted) sources[file] = lines_of(file, lines);
  return sources;
}

}  // namespace norn
