#include "support/paths.hpp"

#include <string>
#include <system_error>

#include "support/error.hpp"

namespace norn {

namespace fs = std::filesystem;

fs::path prefix() {
  // The executable's own path, with symbolic links resolved: a link to norn-c++ somewhere in PATH finds the
  // same installation as norn-c++ itself.
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path();
}

fs::path library_directory() { return prefix() / "lib"; }

fs::path include_directory() { return prefix() / "include"; }

fs::path shadow_directory() { return prefix() / "share" / "norn" / "shadow"; }

fs::path planted_directory() { return prefix() / "share" / "norn" / "planted"; }

fs::path runtime_library() { return library_directory() / "libnorn.so"; }

fs::path gcc_plugin(std::string_view version) {
  return library_directory() / "norn" / ("gcc-" + std::string(version) + ".so");
}

void require_file(const fs::path& file, std::string_view hint) {
  const std::string name = file.string();
  std::error_code error;
  const fs::file_type type = fs::status(file, error).type();
  if (type == fs::file_type::not_found) throw InputError("there is no file " + name);
  if (type == fs::file_type::none) throw InputError("cannot look at " + name + ": " + error.message());
  if (type == fs::file_type::directory) throw InputError(name + " is a directory" + std::string(hint));
  // Who opens a pipe waits until somebody writes to it.
  if (type == fs::file_type::fifo || type == fs::file_type::socket)
    throw InputError(name + " is no file with contents");
}

}  // namespace norn
