#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/plural.hpp"

namespace norn {

/// How text for a person is laid out.
struct TextStyle {
  static constexpr unsigned width_when_piped = 100;
  static constexpr unsigned least_width = 20;

  bool color = false;
  unsigned width = width_when_piped;
  bool scrolls = false;  ///< lines of source may be wider
};

/// For standard output: colour and the width of the screen if it is a terminal. Otherwise it is as wide as the
/// environment or the caller says.
TextStyle style_of_output(bool no_color, unsigned width_when_piped = TextStyle::width_when_piped);

/// Whether the terminal would show commands, such as those for colours, as they are.
bool is_dumb_terminal();

/// Colours by meaning; none if the style has none.
class Painter {
 public:
  explicit Painter(const TextStyle& style) : color_(style.color) {}

  [[nodiscard]] std::string heading(std::string_view text) const { return paint("1", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return paint("1;31", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return paint("1;32", text); }
  [[nodiscard]] std::string doubtful(std::string_view text) const { return paint("1;33", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return paint("2", text); }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const;
  bool color_;
};

/// How many columns of a terminal a text takes. The text is UTF-8 without control characters.
std::size_t display_width(std::string_view text);

/// On one line, without anything that a terminal could take for a command, and valid UTF-8.
std::string printable(std::string_view text);

/// At most so wide, with "..." where something is left out of the middle.
std::string shorten(const std::string& text, std::size_t width);

/// A C++ name at most so wide: what is left out first are the arguments of templates and functions.
std::string shorten_name(const std::string& name, std::size_t width);

/// Filled up with spaces.
std::string pad(const std::string& text, std::size_t width);

/// Lines of at most `width` columns, each after `indent` spaces, each with a line break.
std::string wrap(const std::string& text, std::size_t width, std::size_t indent);

/// "a", "a and b", "a, b and c".
std::string enumerate(const std::vector<std::string>& words);

}  // namespace norn
