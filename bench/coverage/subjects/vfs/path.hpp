// Absolute paths without "." and "..".
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vfs {

class Path {
 public:
  Path() = default;

  // Everything is a path: what is relative starts at the root, and nothing is above it.
  Path(std::string_view text) {  // NOLINT: text becomes a path
    text_.reserve(text.size() + 1);
    std::size_t start = 0;
    while (start <= text.size()) {
      const std::size_t slash = std::min(text.find('/', start), text.size());
      add(text.substr(start, slash - start));
      start = slash + 1;
    }
  }
  Path(const char* text) : Path(std::string_view(text)) {}         // NOLINT: see above
  Path(const std::string& text) : Path(std::string_view(text)) {}  // NOLINT: see above

  bool is_root() const { return text_.empty(); }
  std::string name() const { return is_root() ? std::string() : text_.substr(text_.rfind('/') + 1); }
  std::string text() const { return is_root() ? "/" : text_; }

  std::vector<std::string> parts() const {
    std::vector<std::string> result;
    for (std::size_t start = 1; start < text_.size();) {
      const std::size_t slash = std::min(text_.find('/', start), text_.size());
      result.push_back(text_.substr(start, slash - start));
      start = slash + 1;
    }
    return result;
  }

  Path parent() const {
    Path result(*this);
    if (!result.is_root()) result.text_.resize(text_.rfind('/'));
    return result;
  }

  Path child(std::string_view name) const {
    Path result(*this);
    result.add(name);
    return result;
  }

  bool is_below_or_equal(const Path& other) const {
    const std::size_t length = other.text_.size();
    return text_.starts_with(other.text_) && (text_.size() == length || text_[length] == '/');
  }

  // What is left of this path below another one.
  Path below(const Path& other) const {
    Path result;
    if (is_below_or_equal(other)) result.text_ = text_.substr(other.text_.size());
    return result;
  }

  auto operator<=>(const Path&) const = default;

 private:
  void add(std::string_view part) {
    if (part.empty() || part == ".") return;
    if (part != "..") {
      text_ += '/';
      text_ += part;
    } else if (!is_root()) {
      text_.resize(text_.rfind('/'));
    }
  }

  std::string text_;  // empty for the root
};

// Whether a name matches a pattern in which a star stands for any characters.
inline bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
  }
  return !name.empty() && pattern.front() == name.front() && matches(pattern.substr(1), name.substr(1));
}

}  // namespace vfs
