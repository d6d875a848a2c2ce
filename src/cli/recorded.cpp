#include "cli/recorded.hpp"

#include <fmt/format.h>

#include "cli/program.hpp"
#include "frontend/compiler.hpp"
#include "report/source_lines.hpp"
#include "report/style.hpp"
#include "support/complain.hpp"

namespace norn {
namespace {

/// What is recorded may end with the name of what the message is about, which the run itself does not know.
bool is_same(const std::string& message, const std::string& recorded) {
  return recorded == message || (recorded.starts_with(message + " (") && recorded.ends_with(')'));
}

std::string difference(const Replayed& run, const std::string& message) {
  const std::string divergence = run.sent.at("divergence");
  if (!divergence.empty()) return fmt::format("diverged: {} (did the program change since?)", divergence);
  if (run.kind != run.trace.kind)
    return fmt::format("ended differently: recorded {}, now {}", run.trace.kind, run.kind);
  if (!message.empty() && !is_same(message, run.trace.message))
    return fmt::format("ended differently: recorded `{}`, now `{}`", printable(run.trace.message), printable(message));
  return {};
}

/// The executable is the one of the recording, but who looks at the sources must not take it for what they are now.
void tell_of_changes(const std::vector<SourceFile>& sources) {
  std::vector<std::string> changed;
  for (const SourceFile& source : sources) {
    if (content_hash(source.path) == source.hash) continue;
    changed.push_back(printable(source.path.filename().string()));
    never_quote(source.path);
  }
  if (changed.empty()) return;
  complain(
      "norn: {} {} changed since this run was recorded; the program runs as it was then (norn check explores it as it "
      "is now)\n",
      enumerate(changed), changed.size() == 1 ? "has" : "have");
}

}  // namespace

Replayed replay_recorded(const std::string& file, const ReplayManner& manner) {
  Replayed run{read_trace(file), {}, {}, {}};
  require_executable(run.trace.program);
  tell_of_changes(run.trace.sources);
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
