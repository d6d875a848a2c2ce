#include "cli/files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "support/complain.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

bool lost = false;

}  // namespace

void write_file(const std::string& file, const std::string& text) {
  if (file == "-") {
    if (std::cout << text << std::flush) return;
    complain("norn: cannot write to standard output\n");
  } else {
    std::ofstream stream(file);
    if (stream << text << std::flush) return;
    complain("norn: cannot write {} (is the disk full?)\n", file);
  }
  lost = true;
}

bool was_file_lost() { return lost; }

void require_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  if (!std::ofstream(file, std::ios::app)) throw InputError(fmt::format("cannot write {}", file));
}

}  // namespace norn
