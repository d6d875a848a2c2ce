#include "report/style.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "report/utf8.hpp"

namespace norn {
namespace {

struct CodeRange {
  char32_t first;
  char32_t last;
};

template <std::size_t count>
bool is_in(const std::array<CodeRange, count>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

/// What moves the cursor, changes how a terminal shows the rest, or turns the direction of writing.
constexpr std::array<CodeRange, 6> commands = {
    {{0, 0x1f}, {0x7f, 0x9f}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfff9, 0xfffb}}};
constexpr std::array<CodeRange, 5> without_width = {
    {{0x300, 0x36f}, {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}}};
constexpr std::array<CodeRange, 9> wide = {{{0x1100, 0x115f},
                                            {0x2e80, 0xa4cf},
                                            {0xac00, 0xd7a3},
                                            {0xf900, 0xfaff},
                                            {0xfe30, 0xfe6f},
                                            {0xff00, 0xff60},
                                            {0xffe0, 0xffe6},
                                            {0x1f300, 0x1faff},
                                            {0x20000, 0x3fffd}}};

std::size_t width_of(char32_t code) {
  if (code < 0x300) return 1;
  return is_in(without_width, code) ? 0 : is_in(wide, code) ? 2 : 1;
}

/// As much of the beginning as fits.
std::string_view beginning(std::string_view text, std::size_t width) {
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text.substr(at));
    used += width_of(character.code);
    if (used > width) return text.substr(0, at);
    at += character.size;
  }
  return text;
}

/// As much of the end as fits.
std::string_view ending(std::string_view text, std::size_t width) {
  std::size_t left = display_width(text);
  std::size_t at = 0;
  while (left > width) {
    const Character character = decode(text.substr(at));
    left -= width_of(character.code);
    at += character.size;
  }
  return text.substr(at);
}

/// Replaces what stands between pairs of brackets at the outermost level by "...". Names of operators contain
/// brackets that are none; they are left as they are.
std::string without_inside(const std::string& name, char open, char close) {
  if (name.find("operator") != std::string::npos && open == '<') return name;
  std::string text;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == close && depth > 0 && --depth == 0 && name[i - 1] != open) text += "...";
    if (depth == 0) text += name[i];
    if (name[i] == open) ++depth;
  }
  return depth == 0 ? text : name;
}

unsigned width_from_environment() {
  const char* const text = getenv("COLUMNS");
  const std::string_view columns = text == nullptr ? "" : text;
  unsigned width = 0;
  const auto [rest, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  return error == std::errc() && rest == columns.data() + columns.size() ? width : 0;
}

}  // namespace

bool is_dumb_terminal() {
  const char* const kind = getenv("TERM");
  return kind != nullptr && std::string_view(kind) == "dumb";
}

TextStyle style_of_output(bool no_color, unsigned width_when_piped) {
  TextStyle style{false, width_when_piped};
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  style.color = terminal && !no_color && getenv("NO_COLOR") == nullptr && !is_dumb_terminal();
  winsize size{};
  const bool known = terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  const unsigned width = known ? size.ws_col : width_from_environment();
  if (width != 0) style.width = std::max(width, TextStyle::least_width);
  return style;
}

std::string Painter::paint(std::string_view code, std::string_view text) const {
  return color_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text.substr(at));
    width += width_of(character.code);
    at += character.size;
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text.substr(at));
    if (text[at] == '\t' || text[at] == '\n') {
      result += ' ';
    } else if (!character.valid || is_in(commands, character.code)) {
      result += '?';
    } else {
      result += text.substr(at, character.size);
    }
    at += character.size;
  }
  return result;
}

std::string shorten(const std::string& text, std::size_t width) {
  constexpr std::string_view gap = "...";
  if (display_width(text) <= width) return text;
  if (width <= gap.size()) return std::string(beginning(text, width));
  const std::size_t kept = width - gap.size();
  return fmt::format("{}{}{}", beginning(text, kept - kept / 2), gap, ending(text, kept / 2));
}

std::string shorten_name(const std::string& name, std::size_t width) {
  if (display_width(name) <= width) return name;
  std::string templates = without_inside(name, '<', '>');
  if (display_width(templates) <= width) return templates;
  return shorten(without_inside(templates, '(', ')'), width);
}

std::string pad(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return used >= width ? text : text + std::string(width - used, ' ');
}

std::string wrap(const std::string& text, std::size_t width, std::size_t indent) {
  const std::size_t room = width > indent + 1 ? width - indent : 1;
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = beginning(rest, room);
    if (line.empty()) line = rest.substr(0, decode(rest).size);
    if (line.size() < rest.size() && rest[line.size()] != ' ')
      if (const std::size_t space = line.rfind(' '); space != std::string_view::npos && space != 0)
        line = line.substr(0, space);
    rest.remove_prefix(line.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    while (line.ends_with(' ')) line.remove_suffix(1);
    result += fmt::format("{:{}}{}\n", "", indent, line);
  }
  return result;
}

std::string enumerate(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

}  // namespace norn
