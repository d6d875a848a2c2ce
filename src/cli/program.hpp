#pragma once

#include <sys/types.h>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/conversation.hpp"
#include "support/options.hpp"

namespace norn {

/// A program under test, ready to run.
struct Program {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
  std::filesystem::path preloaded = {};  ///< a library that is loaded with it
};

/// Starts the program as it is, with some more variables in its environment and nothing to read or print to.
pid_t start_uncontrolled(const Program& program, const std::map<std::string, std::string>& environment);

/// Runs the program with Norn's runtime in charge of it, and returns what the runtime reports. A program that
/// ends without a report gives an object with "fatal" in it.
nlohmann::json run_under_control(const Program& program, Options options, const Conversation& conversation = {});

}  // namespace norn
