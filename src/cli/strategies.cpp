#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/help.hpp"
#include "explore/strategy.hpp"
#include "report/style.hpp"

namespace norn {
namespace {

constexpr std::size_t column = 13;

/// Whoever reads it by a program gets one line each.
std::size_t width() { return isatty(STDOUT_FILENO) != 0 ? style_of_output(true).width : SIZE_MAX; }

}  // namespace

void add_strategies(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("strategies", "List the strategies, one line each");
  command->callback([&exit_code] {
    for (const StrategyInfo& strategy : strategies())
      say("{}", explained(std::string(strategy.name), std::string(strategy.summary), column, width()));
    exit_code = 0;
  });
}

}  // namespace norn
