#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "explore/strategy.hpp"

namespace norn {

void add_strategies(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("strategies", "List the strategies, one line each");
  command->callback([&exit_code] {
    for (const StrategyInfo& strategy : strategies()) say("{:<12} {}\n", strategy.name, strategy.summary);
    exit_code = 0;
  });
}

}  // namespace norn
