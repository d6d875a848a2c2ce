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

/// Strategies that sample have no notion of what is left out.
std::string bound_of_samples(const Options& options) {
  if (!options.bounds_preemptions() || (options.strategy != "random" && options.strategy != "pct")) return {};
  return fmt::format(
      "strategy {} samples runs and cannot bound their preemptions (--preemptions): use auto, dpor or exhaustive",
      options.strategy);
}

}  // namespace

std::string what_is_wrong(const Options& options) {
  for (const std::string& problem :
       {one_of("wakeup", options.wakeup, {"any", "fifo"}),
        one_of("isolation", options.isolation, {"snapshot", "fork", "none"}),
        one_of("threads", options.threads, {"fiber", "os"}), one_of("plain", options.plain, {"race", "visible"}),
        one_of("races", options.races, {"fail", "report", "ignore"}),
        one_of("memory", options.memory, {"fail", "ignore"}), between("max_steps", options.max_steps, 1, most_steps),
        between("max_threads", options.max_threads, 1, most_threads),
        between("max_memory", static_cast<double>(options.max_memory), least_memory, most_memory),
        between("jobs", options.jobs, 1, most_jobs), between("pct_depth", options.pct_depth, 1, most_depth),
        between("preemptions", options.preemptions, any_preemptions, most_preemptions), bound_of_samples(options),
        between("max_seconds", options.max_seconds, 0, most_seconds),
        between("max_run_seconds", options.max_run_seconds, 0, most_seconds)})
    if (!problem.empty()) return problem;
  return {};
}

}  // namespace norn
