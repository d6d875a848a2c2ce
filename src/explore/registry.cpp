#include "explore/strategy.hpp"

namespace norn {
namespace {

constexpr StrategyInfo table[] = {
    {"auto", "reachability for programs with Norn's constructs, dpor for others, exhaustive where these miss something",
     make_reachability},
    {"exhaustive", "every interleaving of visible operations, without any reduction", make_exhaustive},
    {"dpor", "one run for every partial order of dependent operations (optimal dynamic partial order reduction)",
     make_dpor},
    {"reachability", "one run for every partial order of synchronization events (reachability testing)",
     make_reachability},
    {"t-way", "reachability testing of all combinations of --t changed races only", make_t_way},
    {"random", "at every step a uniformly random enabled thread, for --max-executions runs", make_random},
    {"pct", "random priorities with --pct-depth - 1 change points: a guaranteed chance per bug depth", make_pct},
    {"pos", "random priorities of operations, which draw again after a race: partial orders rather than interleavings",
     make_pos},
    {"coverage", "runs that cover pairs of lines (--criterion) which no run before has covered", make_coverage},
    {"noise", "the program as it is, uncontrolled, with random delays (--noise): a stress test", nullptr},
};

/// What a strategy that samples is given when the user sets no budget.
constexpr std::uint64_t default_samples = 10'000;

}  // namespace

std::uint64_t run_limit(const Options& options, bool exhausts) {
  const bool unlimited = options.max_executions == 0 && options.max_seconds == 0;
  return unlimited && !exhausts ? default_samples : options.max_executions;
}

std::span<const StrategyInfo> strategies() { return table; }

const StrategyInfo* find_strategy(std::string_view name) {
  for (const StrategyInfo& info : table)
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace norn
