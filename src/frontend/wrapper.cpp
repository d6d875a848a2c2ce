#include <filesystem>
#include <span>
#include <string>

#include <fmt/format.h>

#include "frontend/command_line.hpp"
#include "frontend/compiler.hpp"
#include "frontend/driver.hpp"
#include "frontend/subprocess.hpp"
#include "frontend/temporary_directory.hpp"

namespace norn {

namespace fs = std::filesystem;
using namespace toolchain;

namespace {

// Compiles every source to a temporary object, then links: the link step must not see what instruments.
int compile_and_link(const Compiler& compiler, const CommandLine& line) {
  const TemporaryDirectory directory(temporary_place());
  Words objects;
  int result = 0;
  for (const Argument& argument : line.arguments) {
    if (argument.kind != Kind::source) continue;
    const std::string stem = fs::path(argument.words[0]).stem();
    objects.push_back(directory.path() / fmt::format("{}-{}.o", objects.size(), stem));
    const int code = run(object_command(compiler, line, argument, objects.back()));
    if (result == 0) result = code;
  }
  return result != 0 ? result : run(link_command(compiler, line, objects));
}

}  // namespace

int run_wrapper(Language language, std::span<const std::string> arguments) {
  const Compiler compiler = select_compiler(language);
  const CommandLine line = parse(expand_response_files(arguments));
  if (!line.has_inputs) {
    // Questions to the compiler itself, such as --version.
    Words command = {compiler.program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command);
  }
  if (!line.links) return run(compile_command(compiler, line));
  return line.has_sources ? compile_and_link(compiler, line) : run(link_command(compiler, line, {}));
}

}  // namespace norn
