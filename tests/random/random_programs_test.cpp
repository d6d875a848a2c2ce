// The random-program check: programs made at random are explored by Norn, and the set of their outcomes must be exactly
// the one the reference finds.
//
//   random_programs --interpreter FILE [--count N] [--seed S] [--jobs J]     Norn against the reference
//   random_programs ... --constructs                                         programs that use include/norn/
//   random_programs ... --readers                                            programs with readers' locks
//   random_programs ... --failing                                            programs that often fail
//   random_programs ... --unjoined                                           programs that end before their threads
//   random_programs --interpreter FILE --native                              native outcomes must be in the reference
//   random_programs --interpreter FILE --self-check                          a faulty reference must be noticed
//   random_programs --interpreter FILE --program TEXT                        one program, with both sets
//   random_programs --interpreter FILE --compare STRATEGY                    behaviours against those of exhaustive
//   random_programs ... --compare STRATEGY --bounds 4                        also with at most 0 to 3 preemptions
//   random_programs --interpreter FILE --compare STRATEGY --programs FILE    the same for one program per line

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "campaign.hpp"
#include "comparison.hpp"
#include "generator.hpp"

namespace {

using namespace random_programs;

struct Options {
  CampaignOptions campaign;
  EngineOptions engine;
  bool native = false;
  bool model = false;
  bool self_check = false;
  bool print = false;
  unsigned runs = 20;
  std::string program;
  std::string programs;
  ComparisonOptions compare;
};

void declare(CLI::App& app, Options& options) {
  const char* bin = std::getenv("NORN_BIN");
  options.engine.norn = bin == nullptr ? "norn" : std::string(bin) + "/norn";
  app.add_option("--count", options.campaign.count, "how many programs")->capture_default_str();
  app.add_option("--seed", options.campaign.seed, "seed of the first program")->capture_default_str();
  app.add_option("--jobs", options.campaign.jobs, "programs at the same time")->capture_default_str();
  app.add_option("--max-interleavings", options.campaign.max_interleavings, "larger programs are cut to this")
      ->capture_default_str();
  app.add_flag("--failing", options.campaign.failing, "programs with assertions that often do not hold");
  app.add_flag("--unjoined", options.campaign.unjoined, "programs that end while their threads may be running");
  app.add_flag("--constructs", options.campaign.constructs,
               "programs with monitors, ports, entries and binary semaphores");
  app.add_flag("--readers", options.campaign.readers,
               "programs with readers' locks that come to deadlocks or end early");
  app.add_flag("--both", options.campaign.both, "programs in which mutexes are taken together");
  app.add_option("--max-failures", options.campaign.max_failures, "stop after so many")->capture_default_str();
  app.add_option("--at-least", options.campaign.at_least, "so many must be compared and not skipped")
      ->capture_default_str();
  app.add_option("--interpreter", options.engine.interpreter, "the interpreter of programs");
  app.add_option("--norn", options.engine.norn, "the norn command (default: $NORN_BIN/norn)");
  app.add_option("--strategy", options.engine.strategy, "strategy to check")->capture_default_str();
  app.add_option("--norn-options", options.engine.extra, "more options for norn check, in one word");
  app.add_option("--max-executions", options.engine.max_executions, "per program")->capture_default_str();
  app.add_flag("--native", options.native, "run the interpreter itself, without Norn");
  app.add_option("--runs", options.runs, "native runs of each program")->capture_default_str();
  app.add_flag("--model", options.model, "let the reference stand in for Norn, to test this check");
  app.add_flag("--self-check", options.self_check, "demand that a faulty reference is noticed");
  app.add_flag("--print", options.print, "only print the programs");
  app.add_option("--compare", options.compare.strategy,
                 "compare the behaviours of this strategy with those of exhaustive");
  app.add_option("--bounds", options.compare.bounds, "compare with so many bounds on preemptions as well");
  app.add_option("--compare-options", options.compare.extra, "options of norn for the strategy that is compared");
  app.add_flag("--must-disagree", options.compare.must_disagree, "demand that the comparison finds something wrong");
  app.add_option("--program", options.program, "check this program only");
  app.add_option("--programs", options.programs, "check the programs of this file, one per line")
      ->check(CLI::ExistingFile);
}

std::unique_ptr<Subject> make_subject(const Options& options) {
  if (options.model) return make_model();
  if (options.native) return make_native(options.engine.interpreter, options.runs);
  return make_engine(options.engine);
}

int print_programs(const CampaignOptions& options) {
  for (unsigned i = 0; i < options.count; ++i) {
    const FittedProgram fitted = fitted_program(options.seed + i, options);
    fmt::print("seed {}: {} states, {} interleavings, {} outcomes: {}\n", options.seed + i, fitted.reference.states,
               fitted.reference.interleavings, fitted.reference.outcomes.size(), to_text(fitted.program));
  }
  return 0;
}

int check_text(Subject& subject, const Options& options, const std::string& text) {
  const ParseResult parsed = parse(text);
  if (parsed.error == nullptr && !options.compare.strategy.empty())
    return compare_one(options.engine, options.compare, parsed.program) ? 0 : 1;
  if (parsed.error == nullptr) return check_one(subject, parsed.program) ? 0 : 1;
  fmt::print(stderr, "random_programs: {}\n", parsed.error);
  return 2;
}

/// Lines that begin with # are comments.
int check_file(Subject& subject, const Options& options) {
  std::ifstream file(options.programs);
  int worst = 0;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#') worst = std::max(worst, check_text(subject, options, line));
  return worst;
}

/// Failed assertions of native runs are outcomes, not worth a core file each.
void disable_core_files() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Random programs: Norn against an independent reference");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  disable_core_files();
  if (options.print) return print_programs(options.campaign);
  const std::unique_ptr<Subject> subject = make_subject(options);
  if (!options.program.empty()) return check_text(*subject, options, options.program);
  if (!options.programs.empty()) return check_file(*subject, options);
  if (!options.compare.strategy.empty())
    return run_comparison(options.engine, options.compare, options.campaign) ? 0 : 1;
  const bool good =
      options.self_check ? run_self_check(*subject, options.campaign) : run_campaign(*subject, options.campaign);
  return good ? 0 : 1;
}
