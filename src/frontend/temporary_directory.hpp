#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "support/error.hpp"

namespace norn::toolchain {

// Where temporary files go; throws InputError if the environment names a place that is none.
inline std::filesystem::path temporary_place() {
  std::error_code error;
  auto place = std::filesystem::temp_directory_path(error);
  if (error) throw InputError("the directory for temporary files does not exist (TMPDIR)");
  return place;
}

// A new directory that is removed, with what it holds, at the end of its scope.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::filesystem::path& parent) {
    std::string name = parent / "norn-XXXXXX";
    if (!mkdtemp(name.data())) throw InputError(fmt::format("cannot create a directory in {}", parent.string()));
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace norn::toolchain
