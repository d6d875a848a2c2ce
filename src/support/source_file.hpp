#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/hash.hpp"

namespace norn {

/// A file that a program was compiled from, and what was in it then.
struct SourceFile {
  std::filesystem::path path;
  std::string hash;

  bool operator==(const SourceFile&) const = default;
};

/// Of what is in a file now; empty if it cannot be read.
inline std::string content_hash(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return fmt::format("{:016x}", hash_bytes(text.data(), text.size()));
}

}  // namespace norn
