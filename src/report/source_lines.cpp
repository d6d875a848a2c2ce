#include "report/source_lines.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <vector>

#include "report/style.hpp"

namespace norn {
namespace {

std::vector<std::filesystem::path>& not_quoted() {
  static std::vector<std::filesystem::path> files;
  return files;
}

}  // namespace

void never_quote(const std::filesystem::path& file) { not_quoted().push_back(file); }

bool can_be_quoted(const std::string& file) {
  std::error_code error;
  // Nobody can be made to read a device or a pipe.
  if (!std::filesystem::is_regular_file(file, error)) return false;
  return std::none_of(not_quoted().begin(), not_quoted().end(),
                      [&](const auto& other) { return std::filesystem::equivalent(file, other, error); });
}

SourceLine source_line(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  int number = 0;
  if (colon == std::string::npos) return {text, 0};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(&text[colon] + 1, end, number);
  if (error != std::errc() || rest != end || number <= 0) return {text, 0};
  return {text.substr(0, colon), number};
}

std::string shown_line(const std::string& line) {
  std::string text;
  for (const char c : line) text += c == '\t' ? std::string(4 - text.size() % 4, ' ') : std::string(1, c);
  while (text.ends_with('\r') || text.ends_with(' ')) text.pop_back();
  return printable(text);
}

std::map<int, std::string> source_lines(const std::string& file, const std::set<int>& wanted) {
  std::map<int, std::string> lines;
  if (wanted.empty() || !can_be_quoted(file)) return lines;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; number <= *wanted.rbegin() && std::getline(stream, line); ++number)
    if (wanted.contains(number)) lines[number] = shown_line(line);
  return lines;
}

}  // namespace norn
