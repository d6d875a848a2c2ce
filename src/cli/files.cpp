#include "cli/files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "support/error.hpp"

namespace norn {

void write_file(const std::string& file, const std::string& text) {
  if (file == "-") {
    if (!(std::cout << text << std::flush)) fmt::print(stderr, "norn: cannot write to standard output\n");
    return;
  }
  std::ofstream stream(file);
  if (!(stream << text << std::flush)) fmt::print(stderr, "norn: cannot write {} (is the disk full?)\n", file);
}

void require_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  if (!std::ofstream(file, std::ios::app)) throw InputError(fmt::format("cannot write {}", file));
}

}  // namespace norn
