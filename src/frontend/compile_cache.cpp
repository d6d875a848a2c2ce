#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "frontend/command_line.hpp"
#include "frontend/compiler.hpp"
#include "frontend/driver.hpp"
#include "frontend/line_markers.hpp"
#include "frontend/subprocess.hpp"
#include "frontend/temporary_directory.hpp"
#include "support/error.hpp"
#include "support/paths.hpp"

namespace norn {

namespace fs = std::filesystem;
using namespace toolchain;

namespace {

// Two 64-bit lanes, each mixing eight bytes at a time by a multiplication whose halves are folded together. Meant
// against accidents, not against attackers.
class Hash {
 public:
  void add(std::string_view bytes) {
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data(), 8);
      mix(word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes.data(), bytes.size());
    mix(rest);
    mix(bytes.size());
  }

  void add(const Words& words) {
    for (const std::string& word : words) add(word);
    mix(words.size());
  }

  std::string hex() const { return fmt::format("{:016x}{:016x}", first_, second_); }

 private:
  static std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  void mix(std::uint64_t word) {
    first_ = folded(first_ ^ word, 0x9e3779b97f4a7c15) + 0x2545f4914f6cdd1d;
    second_ = folded(second_ + word, 0xd6e8feb86659fd93) ^ first_ >> 32;
  }

  std::uint64_t first_ = 0x243f6a8885a308d3, second_ = 0x13198a2e03707344;
};

Language language_of(const fs::path& source) {
  return source.extension() == ".c" || source.extension() == ".i" ? Language::C : Language::Cxx;
}

// What the wrapper is asked to do for each source of a request, apart from where to put the result.
Words source_arguments(const CompileRequest& request, const fs::path& source) {
  Words words;
  if (language_of(source) == Language::Cxx) words.push_back("-std=" + request.standard);
  append(words, split_words(request.cflags));
  words.push_back(source);
  return words;
}

[[noreturn]] void cannot_compile(const fs::path& source, int code) {
  if (code == interrupted)
    throw Interruption(fmt::format("interrupted while {} was compiled", source.filename().string()), SIGINT);
  throw InputError(fmt::format("cannot compile {}: the compiler's messages are above", source.string()));
}

using Files = std::set<fs::path>;

void add_preprocessed(Hash& hash, Files& files, const CompileRequest& request, const fs::path& source) {
  const Compiler compiler = select_compiler(language_of(source));
  // The compiler itself will give the warnings, once.
  Words words = source_arguments(request, source);
  append(words, {"-E", "-w"});
  const Words command = compile_command(compiler, parse(words));
  std::string text;
  const int code = run(command, [&](std::string_view part) { text += part; });
  if (code != 0) cannot_compile(source, code);
  hash.add(command);
  hash.add(text);
  files.merge(files_of(text));
}

// Everything that the executable depends on; `files` become those of the user.
std::string key_of(const CompileRequest& request, Files& files) {
  Hash hash;
  hash.add(std::string_view(NORN_VERSION));
  hash.add(fs::current_path().string());  // it is in the debug information
  hash.add(runtime_library().string());   // where the executable will look for it; its content may change
  for (const Language language : {Language::C, Language::Cxx}) {
    if (std::none_of(request.sources.begin(), request.sources.end(),
                     [&](const fs::path& source) { return language_of(source) == language; }))
      continue;
    const Compiler compiler = select_compiler(language);
    hash.add(find_program(compiler.program).value_or(compiler.program).string());
    hash.add(output_of({compiler.program, "--version"}));
    hash.add(link_flags(compiler));
    if (const fs::path plugin = plugin_for(compiler); !plugin.empty()) hash.add(content_hash(plugin));
  }
  hash.add(split_words(request.ldflags));
  for (const fs::path& source : request.sources) add_preprocessed(hash, files, request, source);
  return hash.hex();
}

fs::path cache_directory() {
  fs::path directory = environment("NORN_CACHE");
  if (directory.empty() && !environment("XDG_CACHE_HOME").empty())
    directory = fs::path(environment("XDG_CACHE_HOME")) / "norn";
  if (directory.empty() && !environment("HOME").empty()) directory = fs::path(environment("HOME")) / ".cache" / "norn";
  std::error_code error;
  if (!directory.empty() && (fs::create_directories(directory, error), access(directory.c_str(), W_OK | X_OK) == 0))
    return fs::absolute(directory);
  // Left behind, because recorded runs name the executable.
  std::string temporary = temporary_place() / "norn-cache-XXXXXX";
  if (!mkdtemp(temporary.data())) throw InputError("no directory is writable for compiled programs; set NORN_CACHE");
  return temporary;
}

// Executables that were not used for long are unlikely to be asked for again.
void remove_old_entries(const fs::path& cache) {
  constexpr auto lifetime = std::chrono::hours(24 * 30);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, ignored))
    if (fs::file_time_type::clock::now() - entry.last_write_time(ignored) > lifetime)
      fs::remove_all(entry.path(), ignored);
}

void build(const CompileRequest& request, const fs::path& executable) {
  const TemporaryDirectory objects(temporary_place());
  Words link;
  bool cxx = false;
  for (const fs::path& source : request.sources) {
    const std::string object = objects.path() / fmt::format("{}.o", link.size());
    Words words = source_arguments(request, source);
    append(words, {"-c", "-o", object});
    if (const int code = run_wrapper(language_of(source), words); code != 0) cannot_compile(source, code);
    cxx |= language_of(source) == Language::Cxx;
    link.push_back(object);
  }
  append(link, split_words(request.cflags));
  append(link, split_words(request.ldflags));
  append(link, {"-o", executable});
  const int code = run_wrapper(cxx ? Language::Cxx : Language::C, link);
  if (code == interrupted) cannot_compile(request.sources[0], code);
  if (code != 0)
    throw InputError(fmt::format("cannot link {}: the linker's messages are above", executable.filename().string()));
  if (!fs::exists(executable))
    throw InputError(fmt::format("the compiler made no program of {} (see --cflags, --ldflags and NORN_COMPILER)",
                                 request.sources[0].filename().string()));
}

std::vector<SourceFile> with_contents(const Files& files) {
  std::vector<SourceFile> sources;
  for (const fs::path& file : files) sources.push_back({fs::absolute(file).lexically_normal(), content_hash(file)});
  return sources;
}

/// What is sent about an executable has to be text, and file names need not be.
std::string plain_name(std::string name) {
  const auto is_odd = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || static_cast<unsigned char>(c) < ' ';
  };
  std::replace_if(name.begin(), name.end(), is_odd, '_');
  return name;
}

}  // namespace

Compiled compile(const CompileRequest& request) {
  if (request.sources.empty()) throw InputError("there is no source to compile");
  for (const fs::path& source : request.sources) {
    require_file(source);
    if (!is_source(source)) throw InputError(fmt::format("{} is not a C or C++ source", source.string()));
  }
  const fs::path cache = cache_directory();
  Files files;
  const fs::path entry = cache / key_of(request, files);
  const std::vector<SourceFile> sources = with_contents(files);
  const fs::path name = plain_name(request.sources[0].stem());
  std::error_code error;
  if (fs::exists(entry / name)) {
    fs::last_write_time(entry, fs::file_time_type::clock::now(), error);
    return {entry / name, true, sources};
  }
  remove_old_entries(cache);
  // Built aside and renamed, so that a program is in the cache completely or not at all. Who comes second finds the
  // directory there, and its own, equal one goes away.
  const TemporaryDirectory directory(cache);
  fs::create_directory(directory.path() / "entry");
  build(request, directory.path() / "entry" / name);
  fs::rename(directory.path() / "entry", entry, error);
  if (!fs::exists(entry / name)) throw InputError(fmt::format("cannot write to the cache {}", cache.string()));
  return {entry / name, false, sources};
}

}  // namespace norn
