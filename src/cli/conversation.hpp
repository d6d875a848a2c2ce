#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace norn {

/// What the command has to say to the runtime of a program that is explored, and what it does with what it hears.
struct Conversation {
  /// Answers what the runtime asks.
  std::function<nlohmann::json(const nlohmann::json& question)> answer;
  /// Is told from time to time how the exploration gets on, with Options::progress.
  std::function<void(const nlohmann::json& progress)> progress;
  /// Is given what it takes to go on later.
  std::function<void(const std::string& checkpoint)> checkpoint;
  /// What the exploration goes on from, with Options::resume.
  std::string resume;
};

/// Hears what the runtime in `process` says until it has said its last. The first Ctrl-C asks the runtime to come to an
/// end; the second ends it, and throws Interrupted. Nothing that can be parsed comes back if the process is gone.
nlohmann::json converse(int descriptor, pid_t process, const Conversation& conversation);

/// Says something.
void tell(int descriptor, std::string_view text);

}  // namespace norn
