#include "cli/self_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/control.hpp"
#include "cli/program.hpp"
#include "norn/runtime_abi.h"
#include "report/style.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

using nlohmann::json;

/// What the planted bug needs besides what the program needs.
void make_room(Options& options) {
  constexpr std::uint32_t threads = 2;
  constexpr std::uint32_t steps = 20;
  options.max_threads = std::min(options.max_threads + threads, most_threads);
  options.max_steps = std::min(options.max_steps + steps, most_steps);
}

bool is_planted(const json& bug) { return bug.at("message") == NORN_PLANTED_BUG; }

}  // namespace

std::string SelfCheck::text() const {
  if (found) return fmt::format("self-check passed: the planted bug was found after {}", plural(executions, "run"));
  return fmt::format("self-check failed: {}", printable(reason));
}

json SelfCheck::to_json() const {
  return {{"norn", NORN_VERSION},
          {"self_check", found ? "passed" : "failed"},
          {"executions", executions},
          {"reasons", found ? json::array() : json::array({reason})}};
}

SelfCheck self_check(const ProgramOptions& options, Options exploration) {
  if (exploration.strategy == "noise")
    throw InputError("strategy noise controls nothing that --self-check could check");
  const Program program = prepare_with_planted_bug(options, exploration.plain);
  exploration.self_check = true;
  exploration.minimise = 0;
  exploration.compare = false;
  make_room(exploration);
  const json sent = run_under_control(program, exploration);
  if (sent.contains("fatal")) throw std::runtime_error(sent.at("fatal").get<std::string>());
  SelfCheck result;
  result.executions = sent.at("executions");
  const json& bugs = sent.at("bugs");
  const bool is_shown = std::any_of(bugs.begin(), bugs.end(), is_planted);
  const bool is_instrumented = control_of(sent).program_is_instrumented;
  result.found = is_shown && is_instrumented;
  if (!is_instrumented) {
    result.reason = not_instrumented;
  } else if (!is_shown) {
    const auto reasons = sent.at("reasons").get<std::vector<std::string>>();
    result.reason =
        fmt::format("the bug that was planted at the end of the program was not found in {}{}{}",
                    plural(result.executions, "run"), reasons.empty() ? "" : ": ", fmt::join(reasons, "; "));
  }
  return result;
}

}  // namespace norn
