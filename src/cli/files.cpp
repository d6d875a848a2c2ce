#include "cli/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <utility>

#include "report/replace_file.hpp"
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

bool write_in_place(const std::string& file, const std::string& text) {
  std::ofstream stream(file);
  return static_cast<bool>(stream << text << std::flush);
}

/// A file that was there stays as it was if the new one does not fit on the disk.
bool write_named(const std::string& file, const std::string& text) {
  if (!is_replaceable(file)) return write_in_place(file, text);
  if (replace_file(file, text, Safety::from_full_disks)) return true;
  // In some directories files may be written but not made.
  return (errno == EACCES || errno == EPERM || errno == EROFS) && write_in_place(file, text);
}

}  // namespace

void write_file(const std::string& file, const std::string& text) {
  if (file == "-") {
    if (std::cout << text << std::flush) return;
    if (!std::exchange(output_is_lost, true)) complain("norn: cannot write to standard output\n");
  } else {
    if (write_named(file, text)) return;
    complain("norn: cannot write {} (is the disk full?)\n", file);
  }
  lost = true;
}

bool was_file_lost() { return lost; }

void require_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  std::error_code ignored;                 // then it cannot be opened either
  if (fs::is_fifo(file, ignored)) return;  // whoever reads from it would take this for all there is
  const bool is_there = fs::exists(file, ignored);
  if (!std::ofstream(file, std::ios::app)) throw InputError(fmt::format("cannot write {}", file));
  if (!is_there) fs::remove(fs::canonical(file, ignored), ignored);
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
