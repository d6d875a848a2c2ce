#include <fmt/format.h>

#include <fstream>

#include "report/details.hpp"
#include "report/source_lines.hpp"

namespace norn {
namespace {

/// Of source that can be scrolled; longer lines are hardly written by people.
constexpr std::size_t widest_scrolled_line = 300;

/// After a word, unless that leaves out most of the line.
std::string cut_off(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  const std::string lines = wrap(text, width, 0);
  const std::string line = lines.substr(0, lines.find('\n'));
  return display_width(line) >= width / 2 ? line : shorten(text, width);
}

}  // namespace

std::string source_excerpt(const Place& place, int context, const TextStyle& style, std::size_t indent) {
  if (place.file.empty() || place.line <= 0 || !can_be_quoted(place.source())) return "";
  std::ifstream file(place.source());
  const Painter painter(style);
  const int number_width = static_cast<int>(std::to_string(place.line + context).size());
  std::string text;
  bool found = false;
  std::string source;
  for (int number = 1; number <= place.line + context && std::getline(file, source); ++number) {
    if (number < place.line - context) continue;
    const bool here = number == place.line;
    found |= here;
    const std::string front = fmt::format("{:{}}{} {:{}} | ", "", indent, here ? ">" : " ", number, number_width);
    const std::size_t room = style.width > front.size() + 1 ? style.width - front.size() : 1;
    const std::string shown = shown_line(source);
    std::string line = front + (style.scrolls ? shorten(shown, widest_scrolled_line) : cut_off(shown, room));
    line.erase(line.find_last_not_of(' ') + 1);
    text += (here ? painter.heading(line) : line) + "\n";
  }
  return found ? text : "";
}

}  // namespace norn
