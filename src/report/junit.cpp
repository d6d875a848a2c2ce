#include "report/junit.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>

#include "report/printable.hpp"
#include "report/sentences.hpp"
#include "report/summary.hpp"
#include "report/utf8.hpp"

namespace norn {
namespace {

/// XML has no way to write most control characters, nor what is not Unicode.
bool is_allowed(const Character& character) {
  const char32_t code = character.code;
  if (!character.valid) return false;
  return code >= 0x20 ? code != 0xfffe && code != 0xffff : code == '\t' || code == '\n' || code == '\r';
}

std::string encoded(char32_t code) {
  switch (code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return fmt::format("&#{};", static_cast<unsigned>(code));
  }
}

/// For text and for attributes. Line breaks in attributes would become spaces if they were not encoded.
std::string xml(std::string_view text, bool is_attribute = false) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text.substr(at));
    const std::string_view bytes = text.substr(at, character.size);
    at += character.size;
    const char32_t code = character.code;
    const bool is_special = code < 0x20 ? is_attribute || code == '\r' : bytes.find_first_of("&<>\"") != bytes.npos;
    if (!is_allowed(character))
      result += "\xef\xbf\xbd";
    else
      result += is_special ? encoded(code) : std::string(bytes);
  }
  return result;
}

std::string attribute(std::string_view text) { return xml(text, true); }

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

class Junit : public Reporter {
 public:
  explicit Junit(Output output) : output_(std::move(output)) {}

  void exploration_started(const ReportedExploration& exploration) override {
    begin_ = std::chrono::time_point_cast<std::chrono::seconds>(exploration.begin);
  }

  void bug_found(const ReportedBug& given) override {
    const ReportedBug bug = printable(given);
    std::string text = to_text(given, {});
    if (!given.trace.empty()) text += "\nRun it again:\n" + replay_command(given) + "\n";
    failures_ += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", attribute(bug.kind),
                             attribute(summarize(bug)), xml(text));
  }

  void race_found(const ReportedBug& race) override { add_warning(race.kind, summarize(printable(race))); }

  void warning_found(const ReportedWarning& warning) override {
    add_warning(warning.kind, summarize(printable(warning)));
  }

  void exploration_ended(const Report& given) override {
    const Report report = printable(given);
    const bool skipped = report.verdict() == "incomplete";
    const std::string counts = fmt::format("tests=\"1\" failures=\"{}\" errors=\"0\" time=\"{:.3f}\"",
                                           report.bugs.empty() ? 0 : 1, report.seconds);
    output_(
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<testsuites name=\"norn check\" {0}>\n"
                    "  <testsuite name=\"norn check\" {0} skipped=\"{1}\" timestamp=\"{2:%FT%T}\" hostname=\"{3}\">\n"
                    "    <properties>\n{4}    </properties>\n"
                    "    <testcase name=\"{5}\" classname=\"norn\" time=\"{6:.3f}\">\n{7}    </testcase>\n"
                    "  </testsuite>\n"
                    "</testsuites>\n",
                    counts, skipped ? 1 : 0, fmt::gmtime(begin_), attribute(host_name()), properties(report),
                    attribute(report.program), report.seconds,
                    failures_ + (skipped ? not_complete(report) : "") + output_of(report)));
  }

 private:
  void add_warning(const std::string& kind, const std::string& text) {
    warnings_ += fmt::format("warning: {}\n{}\n\n", printable(kind), text);
  }

  static std::string not_complete(const Report& report) {
    return fmt::format("      <skipped message=\"{}\"/>\n",
                       attribute(fmt::format("{}: {}", finding(report), fmt::join(remarks(report), "; "))));
  }

  static std::string properties(const Report& report) {
    const auto line = [](std::string_view name, const auto& value) {
      return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, attribute(fmt::format("{}", value)));
    };
    return line("norn", NORN_VERSION) + line("strategy", strategy_text(report)) + line("verdict", report.verdict()) +
           line("executions", report.executions) + line("events", report.events);
  }

  /// The verdict in words, and what is suspicious but no bug.
  [[nodiscard]] std::string output_of(const Report& report) const {
    return fmt::format("      <system-out>{}{}: {}\n{}</system-out>\n", xml(warnings_), xml(report.program),
                       finding(report), xml(fmt::format("{}", fmt::join(remarks(report), "\n"))));
  }

  Output output_;
  std::chrono::sys_seconds begin_;
  std::string failures_;
  std::string warnings_;
};

}  // namespace

std::unique_ptr<Reporter> make_junit(Output output, const TextStyle& /*style*/) {
  return std::make_unique<Junit>(std::move(output));
}

}  // namespace norn
