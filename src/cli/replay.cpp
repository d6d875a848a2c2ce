#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/recorded.hpp"
#include "report/style.hpp"
#include "support/complain.hpp"

namespace norn {
namespace {

struct ReplayOptions {
  std::string trace;
  std::string threads;
  bool quiet = false;
};

constexpr int same_again = 1;  // the recorded bug has shown itself once more
constexpr int no_bug = 0;

int replay(const ReplayOptions& options) {
  const Replayed run = replay_recorded(options.trace, {options.threads});
  if (!run.difference.empty()) {
    complain("norn: the replay {}\n", run.difference);
    return exit_diverged;
  }
  const std::string events = plural(run.sent.at("events").get<std::size_t>(), "event");
  if (!options.quiet && run.kind == "finished") say("replayed {}: the run ends well\n", events);
  if (!options.quiet && run.kind != "finished")
    say("replayed {}: {} in thread {} at {}: {}\n", events, run.kind, printable(run.trace.thread),
        printable(run.trace.location), printable(run.trace.message));
  return run.kind == "finished" ? no_bug : same_again;
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
