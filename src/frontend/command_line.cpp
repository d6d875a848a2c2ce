#include "frontend/command_line.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "frontend/compiler.hpp"
#include "support/error.hpp"

namespace norn {

namespace fs = std::filesystem;

namespace toolchain {

namespace {

// Lists of words are written as text: each word between blanks.
bool is_one_of(std::string_view word, std::string_view list) {
  return list.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

bool starts_with_one_of(std::string_view word, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return word.starts_with(start); });
}

constexpr std::string_view source_extensions = " .c .i .ii .cc .cp .cxx .cpp .CPP .c++ .C ";
constexpr std::string_view header_extensions = " .h .hh .H .hp .hxx .hpp .HPP .h++ .tcc ";

// Options whose value is the next word, which therefore is no input file.
constexpr std::string_view options_with_value =
    " -o -x -I -L -D -U -l -T -u -z -e -A -B -MF -MT -MQ -Xlinker -Xassembler -Xpreprocessor -Xclang -mllvm -include "
    "-imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib -aux-info "
    "-wrapper -dumpbase -dumpbase-ext -dumpdir -target -arch --param --sysroot -include-pch -cxx-isystem "
    "-ivfsoverlay ";
constexpr std::string_view stops_before_linking =
    " -c -S -E -M -MM -fsyntax-only --compile --assemble --preprocess --analyze ";
constexpr std::string_view link_options =
    " -shared -rdynamic -pie -no-pie -s -r -nostdlib -nodefaultlibs -nostartfiles -static-libgcc -static-libstdc++ "
    "-T -u -z -e -Xlinker ";
constexpr std::string_view other_sanitizers = " address kernel-address hwaddress memory leak ";

// -fsanitize=thread is Norn's business; the sanitizers that compilers can combine with it stay.
std::string without_thread_sanitizer(const std::string& option) {
  const std::string start = "-fsanitize=";
  std::string rest;
  for (std::size_t from = start.size(); from < option.size();) {
    const std::size_t to = std::min(option.find(',', from), option.size());
    const std::string name = option.substr(from, to - from);
    if (is_one_of(name, other_sanitizers))
      throw InputError(fmt::format("{} cannot be combined with Norn's instrumentation; remove it", start + name));
    if (name != "thread") rest += (rest.empty() ? start : ",") + name;
    from = to + 1;
  }
  return rest;
}

// An input file: source is compiled and replaced by its object before linking, anything else is left to the linker.
void add_input(CommandLine& line, const std::string& word, const std::string& language) {
  line.has_inputs = true;
  const std::string extension = fs::path(word).extension();
  const bool header = language.empty() ? is_one_of(extension, header_extensions) : language.ends_with("-header");
  const bool assembler = language.starts_with("assembler");
  const bool source = language.empty() ? is_one_of(extension, source_extensions) : !assembler;
  if (header) line.links = false;
  line.has_sources |= source || header;
  if (assembler)
    line.arguments.push_back({Kind::input, {"-x", language, word, "-x", "none"}});
  else
    line.arguments.push_back({source || header ? Kind::source : Kind::input, {word}, language});
}

Kind kind_of(const std::string& option) {
  if (option == "-x") return Kind::language;
  if (starts_with_one_of(option, {"-MD", "-MMD", "-MP", "-MG", "-MF", "-MT", "-MQ"})) return Kind::dependency;
  if (is_one_of(option, link_options) || starts_with_one_of(option, {"-l", "-L", "-Wl,", "-fuse-ld="}))
    return Kind::link_option;
  return Kind::option;
}

void add_option(CommandLine& line, Words words) {
  std::string& option = words[0];
  // Link-time optimization would postpone GCC's instrumentation to the link step, which must not ask for it; split
  // debug information would be left beside temporary objects.
  if (starts_with_one_of(option, {"-flto", "-fwhole-program", "-gsplit-dwarf"})) return;
  if (option.starts_with("-fsanitize=") && (option = without_thread_sanitizer(option)).empty()) return;
  if (is_one_of(option, stops_before_linking)) line.links = false;
  if (option == "-r") line.relocatable = true;
  if (option == "-static" || option == "-static-pie") line.is_static = true;
  if (option.starts_with("-o")) {
    line.output = words.size() > 1 ? words[1] : option.substr(2);
    line.arguments.push_back({Kind::output, std::move(words)});
    return;
  }
  line.arguments.push_back({kind_of(option), std::move(words)});
}

}  // namespace

bool CommandLine::has(std::string_view start) const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const Argument& argument) { return argument.words[0].starts_with(start); });
}

CommandLine parse(const Words& words) {
  CommandLine line;
  std::string language;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (!word->starts_with("-") || *word == "-") {
      add_input(line, *word, language);
      continue;
    }
    Words option = {*word};
    if (is_one_of(*word, options_with_value) && word + 1 != words.end())
      option.push_back(*++word);
    else if (word->starts_with("-x") && word->size() > 2)
      option = {"-x", word->substr(2)};
    if (option[0] == "-x" && option.size() > 1) language = option[1] == "none" ? "" : option[1];
    add_option(line, std::move(option));
  }
  if (line.links && line.has_inputs && line.is_static)
    throw InputError("Norn needs dynamic linking: remove -static to build this program with Norn");
  return line;
}

Words expand_response_files(std::span<const std::string> words, int depth) {
  constexpr int depth_limit = 100;
  Words expanded;
  for (const std::string& word : words) {
    std::ifstream file;
    if (word.starts_with("@") && depth < depth_limit) file.open(word.substr(1));
    if (!file.is_open()) {
      expanded.push_back(word);
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    append(expanded, expand_response_files(split_words(text), depth + 1));
  }
  return expanded;
}

}  // namespace toolchain

bool is_source(const fs::path& file) {
  if (!toolchain::is_one_of(file.extension().native(), toolchain::source_extensions)) return false;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return true;
  std::array<char, 4> begin{};
  std::ifstream(file).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) !=
         "\x7f"
         "ELF";
}

std::vector<std::string> split_words(std::string_view text) {
  toolchain::Words words;
  std::string word;
  bool inside = false;  // of a word, which may be empty if it was quoted
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && std::strchr(" \t\n\v\f\r", c)) {
      if (inside) words.push_back(std::exchange(word, {}));
      inside = false;
      continue;
    }
    inside = true;
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      word += text[++i];
    else
      word += c;
  }
  if (quote != 0) throw InputError(fmt::format("a quote is not closed in: {}", text));
  if (inside) words.push_back(word);
  return words;
}

}  // namespace norn
