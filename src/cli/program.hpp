#pragma once

#include <sys/types.h>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/conversation.hpp"
#include "support/options.hpp"
#include "support/source_file.hpp"

namespace norn {

/// A program under test, ready to run.
struct Program {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
  std::filesystem::path preloaded = {};           ///< a library that is loaded with it
  std::vector<SourceFile> sources = {};           ///< that it was compiled from, if Norn has compiled it
  std::vector<std::filesystem::path> given = {};  ///< what the user calls it: sources, or an executable
};

/// Somebody else has ended the process of the program, so nobody knows what it came to; a sentence without a full stop.
struct Killed : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Starts the program as it is, with some more variables in its environment and nothing to read or print to.
pid_t start_uncontrolled(const Program& program, const std::map<std::string, std::string>& environment);

/// Runs the program with Norn's runtime in charge of it, and returns what the runtime reports. A program that
/// ends without a report gives an object with "fatal" in it; throws Killed if that is nobody's mistake.
nlohmann::json run_under_control(const Program& program, Options options, const Conversation& conversation = {});

}  // namespace norn
