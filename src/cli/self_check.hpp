#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/program_options.hpp"

namespace norn {

/// Whether a planted bug was found, and if not, why.
struct SelfCheck {
  bool found = false;
  std::uint64_t executions = 0;
  std::string reason;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json to_json() const;
  [[nodiscard]] int exit_code() const { return found ? 0 : 3; }
};

/// Explores a program with a bug that is planted in it, in the way that the program itself would be explored.
SelfCheck self_check(const ProgramOptions& program, Options exploration);

}  // namespace norn
