#include "frontend/driver.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <system_error>

#include "frontend/flags.hpp"
#include "frontend/subprocess.hpp"
#include "support/paths.hpp"

namespace norn::toolchain {

namespace fs = std::filesystem;

namespace {

bool replace_in(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t position = text.rfind(from);
  if (position == std::string::npos) return false;
  text.replace(position, from.size(), to);
  return true;
}

// The driver for the other language is a neighbour whose name differs in the way that is usual for compilers:
// gcc-12 and g++-12, clang and clang++, cc and c++.
std::string driver_name(std::string name, Language language) {
  const bool cxx = name.find("++") != std::string::npos;
  if (language == Language::C && cxx)
    replace_in(name, "clang++", "clang") || replace_in(name, "g++", "gcc") || replace_in(name, "c++", "cc");
  if (language == Language::Cxx && !cxx)
    replace_in(name, "clang", "clang++") || replace_in(name, "gcc", "g++") || replace_in(name, "cc", "c++");
  return name;
}

Words compile_flags(const Compiler& compiler) {
  // First of all flags, so that the user's own -O and -g win.
  // Clang instruments what its optimizer leaves, which may be no access to a variable that races: so it is not used.
  Words words = {compiler.clang ? "-O0" : "-O1", "-DNORN=1"};
  words.insert(words.end(), flags.begin(), flags.end());
  append(words, {"-isystem", shadow_directory()});
  // Named explicitly, this one would come before the headers of the C++ library, which look for those of C behind them.
  if (fs::path(include_directory()).lexically_normal() != "/usr/include")
    append(words, {"-isystem", include_directory()});
  // What pthread_cleanup_push registers in C is run by unwinding only if the compiler is told that there is such a
  // thing.
  words.emplace_back("-fexceptions");
  const auto& others = compiler.clang ? flags_for_clang : flags_for_gcc;
  words.insert(words.end(), others.begin(), others.end());
  if (const fs::path plugin = plugin_for(compiler); !plugin.empty()) words.push_back("-fplugin=" + plugin.string());
  return words;
}

}  // namespace

std::string output_of(const Words& command) {
  std::string output;
  run(command, [&](std::string_view text) { output += text; });
  return output;
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::optional<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const std::string path = environment("PATH");
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    const fs::path candidate = fs::path(path.substr(start, end - start)) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return candidate;
    start = end + 1;
  }
  return std::nullopt;
}

Compiler select_compiler(Language language) {
  const std::string chosen = environment("NORN_COMPILER");
  const fs::path name = chosen.empty() ? "g++" : chosen;
  const fs::path driver = name.parent_path() / driver_name(name.filename(), language);
  // c++ may be a link to clang++, which the name does not show.
  std::error_code ignored;
  const fs::path target = fs::canonical(find_program(driver).value_or(driver), ignored);
  const bool clang = (driver.filename().string() + target.filename().string()).find("clang") != std::string::npos;
  return {driver, clang};
}

/// GCC loads no plugin that was built for another version.
fs::path plugin_for(const Compiler& compiler) {
  static std::map<std::string, fs::path> known;
  if (compiler.clang || !find_program(compiler.program)) return {};
  if (const auto found = known.find(compiler.program); found != known.end()) return found->second;
  std::string version = output_of({compiler.program, "-dumpfullversion"});
  version.erase(version.find_last_not_of('\n') + 1);
  const fs::path plugin = gcc_plugin(version);
  return known[compiler.program] = fs::exists(plugin) ? plugin : fs::path();
}

Words link_flags(const Compiler& compiler) {
  // First of all libraries, so that the runtime is found before libstdc++ and libc when symbols are looked up, and
  // bound at start, so that no look-up happens while threads are under control.
  const std::string library = library_directory();
  Words flags = {"-L" + library, "-Wl,--push-state,--no-as-needed", "-lnorn", "-Wl,--pop-state"};
  append(flags, {"-Xlinker", "-rpath", "-Xlinker", library, "-Wl,-z,now", "-pthread"});
  if (compiler.clang) flags.push_back("-Qunused-arguments");
  return flags;
}

Words compile_command(const Compiler& compiler, const CommandLine& line) {
  Words command = {compiler.program};
  if (line.has_sources) append(command, compile_flags(compiler));
  for (const Argument& argument : line.arguments) append(command, argument.words);
  return command;
}

Words object_command(const Compiler& compiler, const CommandLine& line, const Argument& source,
                     const fs::path& object) {
  Words command = {compiler.program};
  append(command, compile_flags(compiler));
  if (compiler.clang) command.push_back("-Qunused-arguments");
  for (const Argument& argument : line.arguments)
    if (argument.kind == Kind::option || argument.kind == Kind::dependency) append(command, argument.words);
  if (line.has("-MD") || line.has("-MMD")) {
    const fs::path stem = fs::path(source.words[0]).filename();
    fs::path file = line.output.empty() ? stem : fs::path(line.output);
    if (!line.has("-MF")) append(command, {"-MF", file.replace_extension(".d")});
    fs::path target = line.output.empty() ? fs::path(stem).replace_extension(".o") : fs::path(line.output);
    if (!line.has("-MT") && !line.has("-MQ")) append(command, {"-MQ", target});
  }
  if (!source.language.empty()) append(command, {"-x", source.language});
  append(command, {"-c", source.words[0], "-o", object});
  return command;
}

Words link_command(const Compiler& compiler, const CommandLine& line, const Words& objects) {
  Words command = {compiler.program};
  if (!line.relocatable) append(command, link_flags(compiler));
  auto object = objects.begin();
  for (const Argument& argument : line.arguments) {
    if (argument.kind == Kind::source)
      command.push_back(*object++);
    else if (argument.kind != Kind::language && argument.kind != Kind::dependency)
      append(command, argument.words);
  }
  return command;
}

}  // namespace norn::toolchain
