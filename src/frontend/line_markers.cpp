#include "frontend/line_markers.hpp"

#include <algorithm>
#include <string>

namespace norn::toolchain {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// What stands between the quotes of a marker: compilers write a backslash before quotes, and three digits for bytes
// that are no text.
std::string unquoted(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1])) {
      name += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      name += text[i];
    }
  }
  return name;
}

// The name in a marker; empty if it is of the system or of no file.
std::string file_of(std::string_view marker) {
  const std::size_t open = marker.find('"');
  const std::size_t close = marker.rfind('"');
  if (open == std::string_view::npos || open == close) return {};
  const bool is_system = marker.find('3', close) != std::string_view::npos;
  const std::string_view name = marker.substr(open + 1, close - open - 1);
  const bool is_none = name.empty() || name.front() == '<' || name.back() == '/';
  return is_system || is_none ? std::string() : unquoted(name);
}

}  // namespace

std::set<std::filesystem::path> files_of(std::string_view preprocessed) {
  std::set<std::filesystem::path> files;
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view line = preprocessed.substr(begin, end - begin);
    if (line.starts_with("# "))
      if (const std::string file = file_of(line); !file.empty()) files.insert(file);
    begin = end + 1;
  }
  return files;
}

}  // namespace norn::toolchain
