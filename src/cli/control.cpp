#include "cli/control.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "frontend/compiler.hpp"
#include "support/options_json.hpp"

namespace norn {
namespace {

/// What every program is linked with: the runtimes of the languages, whose synchronization is interposed, and Norn.
bool is_runtime(const std::string& name) {
  constexpr std::string_view known[] = {"libnorn.",   "libc.",      "libm.",      "libpthread.", "libdl.",
                                        "librt.",     "libgcc_s.",  "libstdc++.", "libc++.",     "libc++abi.",
                                        "libunwind.", "libatomic.", "libZydis.",  "ld-linux",    "linux-vdso"};
  return std::any_of(std::begin(known), std::end(known),
                     [&name](std::string_view runtime) { return name.starts_with(runtime); });
}

}  // namespace

ReportedControl control_of(const nlohmann::json& sent) {
  ReportedControl control;
  control.operations = sent.value("operations", std::vector<std::string>());
  control.bounds = bounds_of(sent.at("options").get<Options>());
  bool is_program = true;
  for (const nlohmann::json& module : sent.at("modules")) {
    const std::filesystem::path path = module.at("path").get<std::string>();
    const bool is_instrumented = has_instrumented_code(path);
    if (std::exchange(is_program, false)) {
      control.program_is_instrumented = is_instrumented;
    } else if (!is_runtime(path.filename())) {
      (is_instrumented ? control.instrumented : control.others).push_back(path.filename());
    }
  }
  return control;
}

}  // namespace norn
