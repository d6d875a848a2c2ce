#include "report/changed_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>

#include "support/error.hpp"

namespace norn {
namespace {

struct Range {
  int begin = 0;
  int count = 1;
};

/// Of "12,3" or "12".
std::optional<Range> range_of(std::string_view text) {
  Range range;
  const char* const end = text.data() + text.size();
  const auto [comma, error] = std::from_chars(text.data(), end, range.begin);
  if (error != std::errc()) return {};
  if (comma == end) return range;
  const auto [rest, no_count] = std::from_chars(comma + 1, end, range.count);
  if (*comma != ',' || no_count != std::errc() || rest != end) return {};
  return range;
}

/// Git puts names with unusual characters into quotes, with escapes as in C.
std::string unquoted(const std::string& text) {
  if (!text.starts_with('"')) return text;
  std::string name;
  for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      name += text[i];
      continue;
    }
    unsigned byte = 0;
    const char* const digits = &text[i + 1];
    const auto [rest, error] = std::from_chars(digits, digits + std::min<std::size_t>(3, text.size() - i - 1), byte, 8);
    if (error == std::errc()) {
      name += static_cast<char>(byte);
      i += static_cast<std::size_t>(rest - digits);
    } else {
      const char escaped = text[++i];
      name += escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped;
    }
  }
  return name;
}

/// Of "b/src/queue.cpp", or with a date after a tab.
std::string file_of(const std::string& header) {
  std::string name = unquoted(header.substr(0, header.starts_with('"') ? std::string::npos : header.find('\t')));
  while (name.ends_with('\r')) name.pop_back();
  return name.starts_with("a/") || name.starts_with("b/") ? name.substr(2) : name;
}

/// The same file, seen from different directories.
bool is_same_file(const std::string& one, const std::string& other) {
  const std::string& longer = one.size() > other.size() ? one : other;
  const std::string& shorter = one.size() > other.size() ? other : one;
  if (shorter.empty() || !longer.ends_with(shorter)) return false;
  return longer.size() == shorter.size() || shorter.starts_with('/') ||
         longer[longer.size() - shorter.size() - 1] == '/';
}

/// "@@ -12,3 +12,4 @@ ..."
bool read_hunk(const std::string& line, Range& before, Range& after) {
  std::istringstream words(line);
  std::string mark;
  std::string minus;
  std::string plus;
  if (!(words >> mark >> minus >> plus) || mark != "@@" || minus[0] != '-' || plus[0] != '+') return false;
  const auto from = range_of(std::string_view(minus).substr(1));
  const auto to = range_of(std::string_view(plus).substr(1));
  if (!from || !to) return false;
  before = *from;
  after = *to;
  return true;
}

}  // namespace

ChangedLines ChangedLines::parse(const std::string& diff, const std::string& name) {
  ChangedLines changed;
  std::istringstream lines(diff);
  std::string old_file;
  std::string new_file;
  Range before{0, 0};
  Range after{0, 0};
  bool is_diff = diff.find_first_not_of(" \t\r\n") == std::string::npos;
  for (std::string line; std::getline(lines, line);) {
    if (before.count > 0 && line.starts_with('-')) {
      changed.before_[old_file].insert(before.begin++);
      --before.count;
    } else if (after.count > 0 && line.starts_with('+')) {
      changed.after_[new_file].insert(after.begin++);
      --after.count;
    } else if ((before.count > 0 || after.count > 0) && (line.starts_with(' ') || line.empty())) {
      ++before.begin, ++after.begin, --before.count, --after.count;
    } else if (line.starts_with("--- ")) {
      old_file = file_of(line.substr(4));
    } else if (line.starts_with("+++ ")) {
      new_file = file_of(line.substr(4));
    } else if (line.starts_with("@@ ") && !read_hunk(line, before, after)) {
      throw InputError(fmt::format("{} is no unified diff: `{}`", name, line));
    }
    is_diff |= line.starts_with("@@ ") || line.starts_with("diff ");
  }
  if (!is_diff) throw InputError(fmt::format("{} is no unified diff: `git diff -U0` writes one", name));
  return changed;
}

bool ChangedLines::contains(const Lines& lines, const SourceLine& line) {
  for (const auto& [file, numbers] : lines)
    if (numbers.contains(line.number) && is_same_file(file, line.file)) return true;
  return false;
}

}  // namespace norn
