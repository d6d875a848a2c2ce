#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/options.hpp"

namespace norn {

/// A program under test, ready to run.
struct Program {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
};

/// Answers what the runtime asks while it explores.
using Answer = std::function<nlohmann::json(const nlohmann::json& question)>;

/// Runs the program with Norn's runtime in charge of it, and returns what the runtime reports. A program that
/// ends without a report gives an object with "fatal" in it.
nlohmann::json run_under_control(const Program& program, const Options& options, const Answer& answer = {});

}  // namespace norn
