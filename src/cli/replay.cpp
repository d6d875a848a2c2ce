#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/program.hpp"
#include "frontend/compiler.hpp"
#include "report/names.hpp"
#include "report/style.hpp"
#include "report/trace_file.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

struct ReplayOptions {
  std::string trace;
  std::string threads;
  bool quiet = false;
};

constexpr int same_again = 1;  // the recorded bug has shown itself once more
constexpr int no_bug = 0;
constexpr int diverged = 3;

int replay(const ReplayOptions& options) {
  TraceFile trace = read_trace(options.trace);
  require_executable(trace.program);
  trace.options.replays = true;
  trace.options.replay = trace.schedule();
  trace.options.isolation = "snapshot";
  trace.options.max_run_seconds = 0;  // somebody may be looking at it in a debugger
  if (!options.threads.empty()) trace.options.threads = options.threads;
  const nlohmann::json sent = run_under_control({trace.program, trace.arguments}, trace.options);
  if (sent.contains("fatal")) throw std::runtime_error(sent.at("fatal").get<std::string>());
  const std::string divergence = sent.at("divergence");
  // A race is no way for a run to end: the run may have gone on.
  const bool is_race = trace.kind == "data-race" && sent.at("raced").get<bool>();
  const std::string kind = is_race ? trace.kind : sent.at("kind").get<std::string>();
  if (!divergence.empty()) {
    fmt::print(stderr, "norn: the replay diverged: {} (did the program change since?)\n", divergence);
    return diverged;
  }
  if (kind != trace.kind) {
    fmt::print(stderr, "norn: the replay ended differently: recorded {}, now {}\n", trace.kind, kind);
    return diverged;
  }
  const std::string message = is_race ? trace.message : sent.at("message").get<std::string>();
  if (!message.empty() && message != trace.message) {
    fmt::print(stderr, "norn: the replay ended differently: recorded `{}`, now `{}`\n", printable(trace.message),
               printable(message));
    return diverged;
  }
  if (!options.quiet)
    fmt::print("replayed {}: {} in thread {} at {}: {}\n",
               fmt::format("{} events", sent.at("events").get<std::size_t>()), kind, printable(trace.thread),
               printable(trace.location), printable(trace.message));
  return kind == "finished" ? no_bug : same_again;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "Run one recorded schedule again");
  const auto options = std::make_shared<ReplayOptions>();
  command->add_option("trace", options->trace, "A trace that norn check wrote")->required();
  command->add_option("--threads", options->threads, "What threads are run as: fiber, or os (for a debugger)")
      ->check(CLI::IsMember({"fiber", "os"}));
  command->add_flag("--quiet", options->quiet, "Print only what the program prints");
  command->footer(
      "Exit codes: 1 the recorded bug showed again, 0 the recorded run had none, 3 the run diverged, 2 usage.");
  command->callback([options, &exit_code] { exit_code = replay(*options); });
}

}  // namespace norn
