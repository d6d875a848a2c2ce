#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace norn {

/// Writes a file that was asked for; "-" is standard output.
void write_file(const std::string& file, const std::string& text);

/// Writes to standard output.
template <typename... Arguments>
void say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  write_file("-", fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// Whether one of those that were asked for could not be written.
bool was_file_lost();

/// Throws InputError if a file that is to be written later cannot be; no name is no file.
void require_writable(const std::string& file);

/// Throws InputError if two of the files that are to be written are one, or if one of them is a part of the program.
void require_different(const std::vector<std::string>& files, const std::vector<std::string>& program);

}  // namespace norn
