#include "cli/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <utility>

#include "support/complain.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;

bool lost = false;
bool output_is_lost = false;

/// The same for all names of a file; nothing for what can be written to more than once.
fs::path identity(const std::string& file) {
  std::error_code ignored;  // then it cannot be written, which is seen later
  if (file.empty() || fs::is_character_file(file, ignored) || fs::is_fifo(file, ignored)) return {};
  return file == "-" ? fs::path(file) : fs::weakly_canonical(fs::absolute(file, ignored), ignored);
}

}  // namespace

void write_file(const std::string& file, const std::string& text) {
  if (file == "-") {
    if (std::cout << text << std::flush) return;
    if (!std::exchange(output_is_lost, true)) complain("norn: cannot write to standard output\n");
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

void require_different(const std::vector<std::string>& files, const std::vector<std::string>& program) {
  std::set<fs::path> sources;
  for (const std::string& source : program) sources.insert(identity(source));
  std::set<fs::path> written;
  for (const std::string& file : files) {
    const fs::path one = identity(file);
    if (one.empty()) continue;
    if (sources.contains(one)) throw InputError(fmt::format("{} is the program: it is not written to", file));
    if (written.insert(one).second) continue;
    if (file == "-") throw InputError("only one report can go to standard output");
    throw InputError(fmt::format("only one report can go to {}", file));
  }
}

}  // namespace norn
