#include "cli/program_options.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "frontend/compiler.hpp"
#include "support/error.hpp"
#include "support/paths.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;

/// Whether a source follows the conventions of verification benchmarks.
bool uses_verifier(const std::string& source) {
  if (!fs::is_regular_file(source)) return false;
  std::ifstream file(source);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find("__VERIFIER_") != std::string::npos || text.find("reach_error") != std::string::npos;
}

bool is_c_source(const fs::path& source) { return source.extension() == ".c"; }

/// What the program is compiled with unless the user says otherwise.
std::string default_flags(const ProgramOptions& options, const std::string& plain) {
  // The optimiser takes it that nobody else changes a plain variable: it would remove the accesses that are to be seen.
  std::string flags = plain == "visible" ? "-O0 " : "";
  // Verification benchmarks have functions that happen in one step, so calls must be seen, and are written in GNU C89.
  if (std::any_of(options.program.begin(), options.program.end(), uses_verifier)) {
    flags += "-O0 -finstrument-functions ";
    if (std::all_of(options.program.begin(), options.program.end(), is_c_source)) flags += "-fgnu89-inline ";
  }
  return flags;
}

}  // namespace

void add_to(CLI::App& command, ProgramOptions& options) {
  command.add_option("program", options.program, "C or C++ sources, or one executable built with norn-c++")->required();
  command.add_option("--cflags", options.cflags, "Flags for the compiler (quote them as one word)");
  command.add_option("--ldflags", options.ldflags, "Flags for the linker");
  command.add_option("--std", options.standard, "Standard for C++ sources")->capture_default_str();
}

Program prepare(const ProgramOptions& options, const std::string& plain) {
  std::vector<fs::path> given;
  // What is no path at all is refused below, with what was given.
  std::error_code ignored;
  for (const std::string& name : options.program) given.push_back(fs::absolute(name, ignored).lexically_normal());
  const auto is_source_file = [](const std::string& name) { return is_source(name); };
  const auto sources = std::count_if(options.program.begin(), options.program.end(), is_source_file);
  if (sources == 0 && options.program.size() == 1) {
    require_executable(options.program.front());
    return {fs::absolute(options.program.front()), options.arguments, {}, {}, given};
  }
  if (sources != static_cast<std::ptrdiff_t>(options.program.size()))
    throw InputError("give norn check either sources (.c .cc .cpp .cxx) or one executable, not a mixture");
  const CompileRequest request{{options.program.begin(), options.program.end()},
                               default_flags(options, plain) + options.cflags,
                               options.ldflags,
                               options.standard};
  Compiled compiled = compile(request);
  return {std::move(compiled.executable), options.arguments, {}, std::move(compiled.sources), given};
}

Program prepare_with_planted_bug(const ProgramOptions& options, const std::string& plain) {
  const auto planted = [](const char* name) { return planted_directory() / name; };
  if (is_source(options.program.front())) {
    ProgramOptions with_bug = options;
    const bool is_c = std::all_of(options.program.begin(), options.program.end(), is_c_source);
    with_bug.program.push_back(planted(is_c ? "lost_update.c" : "lost_update.cpp"));
    return prepare(with_bug, plain);
  }
  Program program = prepare(options, plain);
  program.preloaded = compile({{planted("lost_update.c")}, "-fPIC", "-shared", options.standard}).executable;
  if (program.preloaded.string().find_first_of(" :") != std::string::npos)
    throw InputError("--self-check needs a cache whose path has no spaces and colons (NORN_CACHE)");
  return program;
}

}  // namespace norn
