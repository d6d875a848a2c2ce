#include "report/reporter.hpp"

#include <array>

#include "report/annotations.hpp"
#include "report/html.hpp"
#include "report/junit.hpp"
#include "report/sarif.hpp"

namespace norn {
namespace {

/// A reporter that looks at nothing but the whole.
class WholeReporter : public Reporter {
 public:
  using Write = std::function<std::string(const Report&)>;

  WholeReporter(Output output, Write write) : output_(std::move(output)), write_(std::move(write)) {}
  void exploration_ended(const Report& report) override { output_(write_(report)); }

 private:
  Output output_;
  Write write_;
};

std::unique_ptr<Reporter> make_text(Output output, const TextStyle& style) {
  return std::make_unique<WholeReporter>(std::move(output),
                                         [style](const Report& report) { return to_text(report, style); });
}

std::unique_ptr<Reporter> make_json(Output output, const TextStyle& /*style*/) {
  return std::make_unique<WholeReporter>(std::move(output), [](const Report& report) {
    return to_json(report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  });
}

std::unique_ptr<Reporter> make_html(Output output, const TextStyle& /*style*/) {
  return std::make_unique<WholeReporter>(std::move(output), [](const Report& report) { return to_html(report); });
}

constexpr std::array all_reporters = {
    ReporterInfo{"text", "", make_text},
    ReporterInfo{"annotations", "", make_annotations},
    ReporterInfo{"json", "Write the summary to this file (- is standard output)", make_json},
    ReporterInfo{"junit", "Write the verdict to this file as JUnit XML, for CI systems (- is standard output)",
                 make_junit},
    ReporterInfo{"sarif",
                 "Write bugs and failing runs to this file as SARIF 2.1.0, for code scanning (- is standard output)",
                 make_sarif},
    ReporterInfo{"html", "Write a page that shows all of it to this file, for a browser (- is standard output)",
                 make_html},
};

}  // namespace

std::span<const ReporterInfo> reporters() { return all_reporters; }

void Reporters::started(const ReportedExploration& exploration) {
  for (const auto& reporter : list_) reporter->exploration_started(exploration);
}

void Reporters::ended(const Report& report) {
  for (const auto& reporter : list_) {
    for (const ReportedBug& bug : report.bugs) reporter->bug_found(bug);
    for (const ReportedBug& race : report.races) reporter->race_found(race);
    for (const ReportedWarning& warning : report.warnings) reporter->warning_found(warning);
    reporter->exploration_ended(report);
  }
}

}  // namespace norn
