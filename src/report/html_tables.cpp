#include "report/html_tables.hpp"

#include <set>
#include <tuple>

#include "report/source_lines.hpp"
#include "report/style.hpp"

namespace norn {
namespace {

using nlohmann::json;

constexpr int lines_around = 4;
constexpr std::size_t longest_line = 300;

json lines_of(const std::string& file, const std::set<int>& wanted) {
  json lines = json::object();
  for (const auto& [number, line] : source_lines(file, wanted))
    lines[std::to_string(number)] = shorten(line, longest_line);
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
  std::map<std::string, std::string> paths;
  for (const Place& place : places_) {
    // Nobody looks for a bug in the headers of the system.
    if (place.file.empty() || place.file.starts_with("/usr/") || place.line <= 0) continue;
    paths[place.file] = place.source();
    for (int line = place.line - lines_around; line <= place.line + lines_around; ++line)
      wanted[place.file].insert(line);
  }
  json sources = json::object();
  for (const auto& [file, lines] : wanted) sources[file] = lines_of(paths[file], lines);
  return sources;
}

}  // namespace norn
