#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_file.hpp"

namespace norn {

enum class Language { C, Cxx };

// What norn-cc and norn-c++ do: runs the system's compiler with the user's arguments, so that what it compiles
// reports its memory accesses and atomic operations, and what it links has Norn's runtime before every other
// library. Returns the compiler's exit code. The environment variable NORN_COMPILER names another compiler than
// gcc/g++; the name of either language's driver (clang or clang++) serves both.
int run_wrapper(Language language, std::span<const std::string> arguments);

struct CompileRequest {
  std::vector<std::filesystem::path> sources;
  std::string cflags;              // as typed in a shell; used for compiling and for linking
  std::string ldflags;             // as typed in a shell; used for linking, after the objects
  std::string standard = "c++20";  // for C++ sources only
};

struct Compiled {
  std::filesystem::path executable;
  bool cached = false;                   // an earlier invocation built it
  std::vector<SourceFile> sources = {};  // the user's own, headers as well, with absolute paths
};

// Builds an instrumented executable from sources, or finds the one that an earlier call built from the same
// preprocessed sources with the same compiler, flags and runtime. The compiler's own messages go to standard
// error; throws InputError if there is no executable in the end.
Compiled compile(const CompileRequest& request);

// Whether a file's name says that it is C or C++ source, and it is not a program in spite of that.
bool is_source(const std::filesystem::path& file);

// Whether a file is an ELF executable that was linked with Norn's runtime.
bool is_instrumented(const std::filesystem::path& file);

// Whether any of the code in an executable or a library was compiled so that its accesses to memory are seen.
bool has_instrumented_code(const std::filesystem::path& file);

// Throws InputError, saying what the file is instead, unless it is a program that Norn can run.
void require_executable(const std::filesystem::path& file);

// The words of a shell-like command line: separated by white space, with quotes and backslashes.
std::vector<std::string> split_words(std::string_view text);

}  // namespace norn
