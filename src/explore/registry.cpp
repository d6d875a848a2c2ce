#include "explore/strategy.hpp"

namespace norn {
namespace {

constexpr StrategyInfo table[] = {
    {"auto", "dpor, and exhaustive for programs that dpor would miss something of", make_dpor},
    {"exhaustive", "every interleaving of visible operations, without any reduction", make_exhaustive},
    {"dpor", "one run for every partial order of dependent operations (optimal dynamic partial order reduction)",
     make_dpor},
    {"random", "at every step a uniformly random enabled thread, for --max-executions runs", make_random},
    {"pct", "random priorities with --pct-depth - 1 change points: a guaranteed chance per bug depth", make_pct},
};

}  // namespace

std::span<const StrategyInfo> strategies() { return table; }

const StrategyInfo* find_strategy(std::string_view name) {
  for (const StrategyInfo& info : table)
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace norn
