#include "support/options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <string_view>

namespace norn {
namespace {

std::string one_of(std::string_view name, std::string_view value, std::initializer_list<std::string_view> allowed) {
  for (const std::string_view candidate : allowed)
    if (value == candidate) return {};
  return fmt::format("`{}` is no value for {}", value, name);
}

std::string between(std::string_view name, double value, double least, double most) {
  if (value >= least && value <= most) return {};
  return fmt::format("{} must be from {} to {}", name, least, most);
}

std::string bound_of_others(const Options& options) {
  const std::string_view strategy = options.strategy;
  if (!options.bounds_preemptions() || strategy == "auto" || strategy == "dpor" || strategy == "exhaustive") return {};
  return fmt::format("strategy {} cannot bound preemptions (--preemptions): use auto, dpor or exhaustive", strategy);
}

std::string reduction_of_others(const Options& options) {
  const std::string_view strategy = options.strategy;
  if (options.reduce.empty() || strategy == "auto" || strategy == "reachability" || strategy == "t-way") return {};
  return fmt::format("strategy {} reduces nothing (--reduce): use reachability or t-way", strategy);
}

/// What is covered is known only to who has seen all of it.
std::string coverage_of_others(const Options& options) {
  return options.strategy == "coverage" && options.jobs > 1 ? "strategy coverage needs --jobs 1" : "";
}

std::string graph_of_others(const Options& options) {
  return options.graph && options.jobs > 1 ? "--graph needs --jobs 1" : "";
}

/// Which sequences are of one class is known only to who has seen both.
std::string class_of_others(const Options& options) {
  const bool has_classes = options.reduce.find("symmetry-paper") != std::string::npos;
  return has_classes && options.jobs > 1 ? "--reduce symmetry-paper needs --jobs 1" : "";
}

std::string tables_of_others(const Options& options) {
  if (!options.check_tables || (options.strategy == "t-way" && options.jobs == 1)) return {};
  return "--check-tables needs --strategy t-way and --jobs 1";
}

std::string checkpoint_of_others(const Options& options) {
  return options.checkpoint || options.resume != 0 ? why_no_checkpoint(options) : "";
}

}  // namespace

/// What one process remembers of all runs is not in a checkpoint.
std::string why_no_checkpoint(const Options& options) {
  const std::string_view strategy = options.strategy;
  const bool explores_all = strategy == "auto" || strategy == "exhaustive" || strategy == "dpor" ||
                            strategy == "reachability" || strategy == "t-way";
  if (!explores_all)
    return fmt::format(
        "strategy {} has no checkpoints (--checkpoint, --resume): use auto, exhaustive, dpor, reachability or t-way",
        strategy);
  if (options.graph) return "--graph cannot be used with --checkpoint and --resume";
  if (options.reduce.find("symmetry-paper") != std::string::npos)
    return "--reduce symmetry-paper cannot be used with --checkpoint and --resume";
  return {};
}

std::string what_is_wrong(const Options& options) {
  for (const std::string& problem :
       {one_of("wakeup", options.wakeup, {"any", "fifo"}),
        one_of("isolation", options.isolation, {"snapshot", "fork", "none"}),
        one_of("threads", options.threads, {"fiber", "os"}),
        one_of("plain", options.plain, {"race", "visible", "shared"}),
        one_of("races", options.races, {"fail", "report", "ignore"}),
        one_of("memory", options.memory, {"fail", "ignore"}),
        between("max_steps", options.max_steps, 1, most_steps),
        between("max_threads", options.max_threads, 1, most_threads),
        between("max_memory", static_cast<double>(options.max_memory), least_memory, most_memory),
        between("jobs", options.jobs, 1, most_jobs),
        between("pct_depth", options.pct_depth, 1, most_depth),
        between("t", options.t, 1, most_changes),
        between("preemptions", options.preemptions, any_preemptions, most_preemptions),
        bound_of_others(options),
        reduction_of_others(options),
        class_of_others(options),
        graph_of_others(options),
        coverage_of_others(options),
        tables_of_others(options),
        checkpoint_of_others(options),
        between("checkpoint_seconds", options.checkpoint_seconds, 0, most_seconds),
        one_of("criterion", options.criterion, {"sync-pairs", "blocking-pairs", "statement-pairs", "def-use-pairs"}),
        between("estimate_runs", static_cast<double>(options.estimate_runs), 1, 1e6),
        between("max_seconds", options.max_seconds, 0, most_seconds),
        between("max_run_seconds", options.max_run_seconds, 0, most_seconds)})
    if (!problem.empty()) return problem;
  return {};
}

}  // namespace norn
