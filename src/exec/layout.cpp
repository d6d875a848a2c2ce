#include "exec/layout.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>

#include "exec/modules.hpp"
#include "exec/real.hpp"
#include "support/hash.hpp"

namespace norn::exec {
namespace {

/// Of what is in a file; 0 if there is none, as for what the kernel provides.
std::uint64_t hash_of_file(const std::string& path) {
  const int file = NORN_REAL(open)(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::string buffer(std::size_t{1} << 16, '\0');
  std::uint64_t hash = 1;
  for (;;) {
    const ssize_t size = NORN_REAL(read)(file, buffer.data(), buffer.size());
    if (size <= 0) break;
    hash = combine(hash, hash_bytes(buffer.data(), static_cast<std::size_t>(size)));
  }
  NORN_REAL(close)(file);
  return hash;
}

struct Line {
  std::string hash;
  std::string begin;
  std::string path;
};

Line parse(const std::string& text) {
  Line line;
  std::istringstream words(text);
  words >> line.hash >> line.begin >> std::ws;
  std::getline(words, line.path);
  return line;
}

}  // namespace

std::string layout() {
  std::string text;
  for (const nlohmann::json& module : modules()) {
    const auto path = module.at("path").get<std::string>();
    // The program may have been moved.
    const std::string name = text.empty() ? "the program" : path;
    text += fmt::format("{:016x} {:x} {}\n", hash_of_file(path), module.at("begin").get<std::uint64_t>(), name);
  }
  return text;
}

std::string difference_of_layouts(const std::string& before, const std::string& now) {
  std::istringstream then_lines(before);
  std::istringstream now_lines(now);
  std::string text;
  std::string other;
  while (std::getline(then_lines, text)) {
    const Line then = parse(text);
    if (!std::getline(now_lines, other)) return fmt::format("{} is not loaded any more", then.path);
    const Line line = parse(other);
    if (then.path != line.path) return fmt::format("{} is loaded instead of {}", line.path, then.path);
    if (then.hash != line.hash) return fmt::format("{} has changed", line.path);
    if (then.begin != line.begin) return fmt::format("{} lies elsewhere in memory (another ulimit -s?)", line.path);
  }
  return std::getline(now_lines, other) ? fmt::format("{} is loaded too", parse(other).path) : std::string();
}

}  // namespace norn::exec
