#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace norn {

/// A line of the program's source.
struct SourceLine {
  std::string file;
  int number = 0;  ///< 0: it is no line, and `file` is what is said instead

  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

/// Of "queue.cpp:12".
SourceLine source_line(const std::string& text);

/// A line of a file as it is shown: tabs as spaces, so that the indentation stays visible, and nothing that a terminal
/// could take for a command.
std::string shown_line(const std::string& line);

/// From now on no line of this file is shown: it is not what the program was compiled from.
void never_quote(const std::filesystem::path& file);
bool can_be_quoted(const std::string& file);

/// Those of these lines that there are, as they are shown. None if the file cannot be read.
std::map<int, std::string> source_lines(const std::string& file, const std::set<int>& wanted);

}  // namespace norn
