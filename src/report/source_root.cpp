#include "report/source_root.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

namespace norn {
namespace {

std::string percent_encoded(const std::string& path) {
  std::string encoded;
  for (const unsigned char c : path) {
    const bool plain = std::isalnum(c) != 0 || (c != 0 && std::strchr("-._~/", c) != nullptr);
    encoded += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return encoded;
}

}  // namespace

std::string SourceRoot::name(const std::string& file) const {
  const std::filesystem::path whole = (directory_ / file).lexically_normal();
  const std::filesystem::path relative = whole.lexically_relative(root_);
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : whole.string();
}

std::string SourceRoot::uri(const std::string& file) const {
  const std::string path = name(file);
  return (path.starts_with('/') ? "file://" : "") + percent_encoded(path);
}

std::string SourceRoot::uri() const { return directory_uri(root_); }

std::string directory_uri(const std::filesystem::path& directory) {
  return "file://" + percent_encoded(directory.string()) + (directory.string().ends_with('/') ? "" : "/");
}

}  // namespace norn
