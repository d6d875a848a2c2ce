#pragma once

#include <filesystem>
#include <string_view>

namespace norn {

// The directory that holds bin, lib, include and share: an installation's prefix, or the build directory.
std::filesystem::path prefix();

// The parts of an installation that programs under test are compiled and linked against.
std::filesystem::path library_directory();
std::filesystem::path include_directory();
std::filesystem::path shadow_directory();
std::filesystem::path runtime_library();
// The plugin for this version of GCC, where there is one.
std::filesystem::path gcc_plugin(std::string_view version);
// The sources of the bug that `norn check --self-check` plants.
std::filesystem::path planted_directory();

// Throws InputError unless there is a file to read. `hint` is said of directories.
void require_file(const std::filesystem::path& file, std::string_view hint = "");

}  // namespace norn
