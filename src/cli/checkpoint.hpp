#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/options.hpp"

namespace norn {

/// What an exploration is of. Only one with the same identity can go on from a checkpoint; whether the program itself
/// is still the same, its runtime sees.
struct ExplorationIdentity {
  std::vector<std::filesystem::path> program;  ///< as the user gives it; it may have moved since
  std::vector<std::string> arguments;
  Options options;
};

/// A file that is there wholly or not at all, whenever the command is killed.
class CheckpointFile {
 public:
  CheckpointFile(const std::filesystem::path& file, const ExplorationIdentity& identity);

  /// Throws InputError if it cannot be written.
  void require_writable() const;
  /// Replaces what it held before. An exploration does not end because a disk is full: see `problem`.
  void write(const std::string& state);

  /// As the user calls it.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Whether it holds anything.
  [[nodiscard]] bool is_written() const { return is_written_; }
  /// Why the last attempt to write it failed, in a sentence; empty if it did not.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string name_;
  nlohmann::json identity_;
  bool is_written_ = false;
  std::string problem_;
};

/// Whether a file is a checkpoint of this program.
bool is_checkpoint_of(const std::filesystem::path& file, const std::vector<std::filesystem::path>& program);

/// What was written; throws InputError if it is not that, or of another exploration.
std::string read_checkpoint(const std::filesystem::path& file, const ExplorationIdentity& identity);

}  // namespace norn
