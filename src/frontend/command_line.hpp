#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/words.hpp"

namespace norn::toolchain {

enum class Kind { option, source, input, output, language, dependency, link_option };

struct Argument {
  Kind kind;
  Words words;
  std::string language = {};  // of a source: what -x said
};

struct CommandLine {
  std::vector<Argument> arguments;
  std::string output;        // what -o said
  bool links = true;         // the driver would go on to link
  bool relocatable = false;  // -r: the result is an object again
  bool is_static = false;
  bool has_sources = false;
  bool has_inputs = false;

  bool has(std::string_view start) const;
};

// Understands what the user asks the compiler to do; throws InputError if Norn cannot do it.
CommandLine parse(const Words& words);

// GNU's response files: @file stands for the words in that file.
Words expand_response_files(std::span<const std::string> words, int depth = 0);

}  // namespace norn::toolchain
