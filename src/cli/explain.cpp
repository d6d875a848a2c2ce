#include <fmt/format.h>

#include <fstream>

#include "cli/commands.hpp"
#include "cli/control.hpp"
#include "cli/files.hpp"
#include "report/report.hpp"
#include "support/error.hpp"

namespace norn {

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("explain", "Print what the runtime found, for a person (norn::explore uses it)");
  const auto file = std::make_shared<std::string>();
  command->add_option("found", *file, "What the runtime found, as JSON")->required();
  command->callback([file, &exit_code] {
    const nlohmann::json found = nlohmann::json::parse(std::ifstream(*file), nullptr, false);
    if (!found.is_object()) throw InputError(fmt::format("{} is not what the runtime writes", *file));
    Report report = make_report("norn::explore", found);
    if (found.contains("options") && found.contains("modules")) report.control = control_of(found);
    write_file("-", to_text(report, {}));
    exit_code = 0;
  });
}

}  // namespace norn
