#pragma once

// Runs the norn command as a user would and gives its tests everything it left behind.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace norn::test {

struct Finished {
  int exit_code = 0;  ///< 128 + the signal if one ended it
  std::string output;
  std::string error;
};

/// Runs a command with its standard input closed; `environment` is added to the test's own.
Finished run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment = {});

/// Where the build puts norn, norn-c++ and norn-cc.
std::string norn_bin();

/// A directory that is removed with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

std::string read_file(const std::string& path);

/// What `norn check` found.
struct Checked {
  Finished finished;
  nlohmann::json summary;
  /// (status, standard output) -> number of runs.
  std::map<std::pair<std::string, std::string>, unsigned long> outcomes;
  /// One line for every run.
  std::vector<std::string> runs;

  [[nodiscard]] std::string verdict() const { return summary.value("verdict", "none"); }
  [[nodiscard]] unsigned long executions() const { return summary.value("executions", 0UL); }
  [[nodiscard]] unsigned long distinct() const { return summary.value("distinct", 0UL); }
  [[nodiscard]] std::string first_bug() const {
    return summary.contains("bugs") && !summary["bugs"].empty() ? summary["bugs"][0].value("kind", "") : "";
  }
};

/// norn check PROGRAM OPTIONS... -- ARGUMENTS..., with summary, outcomes and runs collected.
Checked check(const std::string& program, std::vector<std::string> options = {},
              const std::vector<std::string>& arguments = {},
              const std::map<std::string, std::string>& environment = {});

}  // namespace norn::test
