#include "support/paths.hpp"

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

}  // namespace norn
