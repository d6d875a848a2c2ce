// A checkpoint is two lines of text and the state as the runtime packed it:
//
//   norn checkpoint 1
//   {"arguments": [...], "arguments_hash": "...", "hash": "...", "norn": "0.1.0", "options": {...},
//    "program_hash": "...", "size": 1234}

#include "cli/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "report/replace_file.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/options_json.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view first_line = "norn checkpoint 1\n";

/// An exploration can go on with other limits and more processes; everything else changes what it is about.
json options_that_matter(const Options& options) {
  json written = options;
  for (const char* const name : {"jobs", "chaos", "forget", "max_executions", "max_seconds", "minimise", "compare",
                                 "check_tables", "progress", "checkpoint", "checkpoint_seconds", "resume"})
    written.erase(name);
  return written;
}

std::string hash_of(const std::string& state) { return fmt::format("{:016x}", hash_bytes(state.data(), state.size())); }

/// Arguments and names of files need not be text: what cannot be read back as it was is told apart by its hash.
template <typename Words>
std::string hash_of_words(const Words& words) {
  std::string bytes;
  for (const auto& word : words) bytes.append(std::string(word)).push_back('\0');
  return hash_of(bytes);
}

json to_json(const ExplorationIdentity& identity) {
  return {{"norn", NORN_VERSION},
          {"arguments", identity.arguments},
          {"arguments_hash", hash_of_words(identity.arguments)},
          {"program_hash", hash_of_words(identity.program)},
          {"options", options_that_matter(identity.options)}};
}

/// The option as it is typed, and its value.
std::string option_text(std::string name, const json& value) {
  std::replace(name.begin(), name.end(), '_', '-');
  return fmt::format("--{} {}", name, value.is_string() ? value.get<std::string>() : value.dump());
}

/// In what the exploration that a checkpoint is of differs from this one, in the end of a sentence.
std::string difference(const json& then, const json& now) {
  if (then.at("norn") != now.at("norn")) return fmt::format("by norn {}", then.at("norn").get<std::string>());
  if (then.at("arguments_hash") != now.at("arguments_hash")) return "with other arguments of the program";
  for (const auto& [name, value] : now.at("options").items()) {
    if (!then.at("options").contains(name)) return "by another norn";
    const json& before = then.at("options").at(name);
    if (before != value) return fmt::format("with {}, not {}", option_text(name, before), option_text(name, value));
  }
  return {};
}

struct Parts {
  json header;
  std::string state;
};

/// Throws json::exception if there is no header.
Parts take_apart(const std::string& text) {
  const std::size_t begin = first_line.size();
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  Parts parts{json::parse(text.substr(begin, end - begin)), text.substr(std::min(end + 1, text.size()))};
  for (const char* const name : {"norn", "arguments", "arguments_hash", "options", "size", "hash"})
    static_cast<void>(parts.header.at(name));
  return parts;
}

}  // namespace

CheckpointFile::CheckpointFile(const fs::path& file, const ExplorationIdentity& identity)
    : name_(file.string()), identity_(to_json(identity)) {}

void CheckpointFile::require_writable() const {
  std::error_code ignored;  // then it cannot be written, which is seen at once
  if (fs::exists(name_, ignored) && !fs::is_regular_file(name_, ignored))
    throw InputError(fmt::format("cannot write the checkpoint {}: it is not a regular file", name_));
  if (!can_replace_file(name_))
    throw InputError(fmt::format("cannot write the checkpoint {}: {}", name_, strerror(errno)));
}

void CheckpointFile::write(const std::string& state) {
  json header = identity_;
  header["size"] = state.size();
  header["hash"] = hash_of(state);
  std::string text(first_line);
  text += header.dump(-1, ' ', false, json::error_handler_t::replace) + "\n" + state;
  if (replace_file(name_, text, Safety::from_power_failures)) {
    is_written_ = true;
    problem_.clear();
  } else {
    problem_ = fmt::format("the checkpoint {} could not be written: {}", name_, strerror(errno));
  }
}

bool is_checkpoint_of(const fs::path& file, const std::vector<fs::path>& program) {
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line) || line + "\n" != first_line || !std::getline(stream, line)) return false;
  const json header = json::parse(line, nullptr, false);
  return header.is_object() && header.value("program_hash", json()) == hash_of_words(program);
}

std::string read_checkpoint(const fs::path& file, const ExplorationIdentity& identity) {
  const std::string name = file.string();
  std::error_code ignored;  // then it cannot be read
  if (fs::status(file, ignored).type() == fs::file_type::not_found)
    throw InputError(fmt::format("there is no checkpoint {}", name));
  if (!fs::is_regular_file(file, ignored)) throw InputError(fmt::format("{} is not a checkpoint", name));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(fmt::format("cannot read the checkpoint {}", name));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!text.starts_with(first_line)) throw InputError(fmt::format("{} is not a checkpoint", name));
  try {
    Parts parts = take_apart(text);
    if (parts.header.at("size") != parts.state.size())
      throw InputError(fmt::format("the checkpoint {} is broken: not all of it is there", name));
    if (parts.header.at("hash") != hash_of(parts.state))
      throw InputError(fmt::format("the checkpoint {} is broken: it is not what was written", name));
    const std::string other = difference(parts.header, to_json(identity));
    if (!other.empty()) throw InputError(fmt::format("the checkpoint {} was written {}", name, other));
    return std::move(parts.state);
  } catch (const json::exception&) {
    throw InputError(fmt::format("the checkpoint {} is broken", name));
  }
}

}  // namespace norn
