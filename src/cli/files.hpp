#pragma once

#include <string>

namespace norn {

/// Writes a file that was asked for; "-" is standard output.
void write_file(const std::string& file, const std::string& text);

/// Throws InputError if a file that is to be written later cannot be; no name is no file.
void require_writable(const std::string& file);

}  // namespace norn
