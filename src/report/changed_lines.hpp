#pragma once

#include <map>
#include <set>
#include <string>

#include "report/source_lines.hpp"

namespace norn {

/// Which lines of which files a change is about: those that it takes away, with the numbers they had, and those that it
/// puts there, with the numbers they have now.
class ChangedLines {
 public:
  /// From a unified diff, such as `git diff` writes. Throws InputError if it is none; `name` is how it is called then.
  static ChangedLines parse(const std::string& diff, const std::string& name);

  [[nodiscard]] bool was_there(const SourceLine& line) const { return contains(before_, line); }
  [[nodiscard]] bool is_there(const SourceLine& line) const { return contains(after_, line); }

 private:
  using Lines = std::map<std::string, std::set<int>>;
  static bool contains(const Lines& lines, const SourceLine& line);

  Lines before_;
  Lines after_;
};

}  // namespace norn
