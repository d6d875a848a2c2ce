#include "cli/recorded.hpp"

#include <fmt/format.h>

#include "cli/program.hpp"
#include "frontend/compiler.hpp"
#include "report/style.hpp"

namespace norn {
namespace {

std::string difference(const Replayed& run, const std::string& message) {
  const std::string divergence = run.sent.at("divergence");
  if (!divergence.empty()) return fmt::format("diverged: {} (did the program change since?)", divergence);
  if (run.kind != run.trace.kind)
    return fmt::format("ended differently: recorded {}, now {}", run.trace.kind, run.kind);
  if (!message.empty() && message != run.trace.message)
    return fmt::format("ended differently: recorded `{}`, now `{}`", printable(run.trace.message), printable(message));
  return {};
}

}  // namespace

Replayed replay_recorded(const std::string& file, const ReplayManner& manner) {
  Replayed run{read_trace(file), {}, {}, {}};
  require_executable(run.trace.program);
  Options options = run.trace.options;
  options.replays = true;
  options.replay = run.trace.schedule();
  options.isolation = "snapshot";
  options.details = manner.details;
  if (!manner.details) options.max_run_seconds = 0;  // somebody may be looking at it in a debugger
  if (!manner.threads.empty()) options.threads = manner.threads;
  run.sent = run_under_control({run.trace.program, run.trace.arguments}, options);
  if (run.sent.contains("fatal")) throw std::runtime_error(run.sent.at("fatal").get<std::string>());
  // A race is no way for a run to end: the run may have gone on.
  const bool is_race = run.trace.kind == "data-race" && run.sent.at("raced").get<bool>();
  run.kind = is_race ? run.trace.kind : run.sent.at("kind").get<std::string>();
  run.difference = difference(run, is_race ? run.trace.message : run.sent.at("message").get<std::string>());
  return run;
}

}  // namespace norn
