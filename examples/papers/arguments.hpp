#pragma once

// The arguments of the programs in this directory: sizes and words, one after the other. What is left out has a
// default; what makes no sense ends the program with one sentence.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

[[noreturn]] inline void refuse(const std::string& why) {
  std::fprintf(stderr, "%s.\n", why.c_str());
  std::exit(2);
}

inline std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class arguments {
 public:
  arguments(int argc, char** argv) : left_(argv, static_cast<std::size_t>(argc)) {
    if (!left_.empty()) left_ = left_.subspan(1);
  }

  [[nodiscard]] bool empty() const { return left_.empty(); }

  std::string next() {
    const std::string text = left_.front();
    left_ = left_.subspan(1);
    return text;
  }

  /// The next argument as a number of `what`.
  int size(const std::string& what, int otherwise, int least = 1) {
    if (empty()) return otherwise;
    const std::string text = next();
    const std::optional<int> number = whole_number(text);
    if (!number || *number < least)
      refuse("The number of " + what + " must be a whole number from " + std::to_string(least) + " on, not '" + text +
             "'");
    return *number;
  }

  /// Whether the next argument is this word, which is taken then.
  bool word(std::string_view expected) {
    if (empty() || expected != left_.front()) return false;
    next();
    return true;
  }

  /// Nothing may be left.
  void end() {
    if (!empty()) refuse("Nobody knows what the argument '" + next() + "' is for");
  }

 private:
  std::span<char*> left_;
};
