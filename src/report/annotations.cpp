#include "report/annotations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/printable.hpp"
#include "report/sentences.hpp"
#include "report/source_root.hpp"
#include "report/summary.hpp"

namespace norn {
namespace {

/// What would end a workflow command or a part of it is encoded.
std::string encoded(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text)
    if (special.find(c) != std::string_view::npos)
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += c;
  return result;
}

std::string in_message(const std::string& text) { return encoded(text, "%\r\n"); }
std::string in_property(const std::string& text) { return encoded(text, "%\r\n:,"); }

class Annotations : public Reporter {
 public:
  explicit Annotations(Output output) : output_(std::move(output)) {}

  void exploration_started(const ReportedExploration& exploration) override { root_ = SourceRoot(exploration); }

  void bug_found(const ReportedBug& given) override {
    const ReportedBug bug = printable(given);
    std::string text = summarize(bug);
    if (!given.trace.empty()) text += "\nRun it again: " + replay_command(given);
    add("error", kind_text(bug), bug.place, text);
  }

  void race_found(const ReportedBug& given) override {
    const ReportedBug race = printable(given);
    add("warning", kind_text(race), race.place, summarize(race));
  }

  void warning_found(const ReportedWarning& given) override {
    const ReportedWarning warning = printable(given);
    add("warning", warning.kind, warning.cycle.empty() ? Place() : warning.cycle.front().wants_place,
        summarize(warning));
  }

  void exploration_ended(const Report& given) override {
    const Report report = printable(given);
    if (report.verdict() == "incomplete")
      add("warning", "incomplete", {},
          fmt::format("{}: {}\n{}", report.program, finding(report), fmt::join(remarks(report), "\n")));
    if (!text_.empty()) output_(text_);
  }

 private:
  void add(std::string_view level, const std::string& title, const Place& place, const std::string& message) {
    text_ += fmt::format("::{} ", level);
    if (!place.file.empty()) text_ += fmt::format("file={},line={},", in_property(root_.name(place.file)), place.line);
    text_ += fmt::format("title=Norn%3A {}::{}\n", in_property(title), in_message(message));
  }

  Output output_;
  SourceRoot root_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Reporter> make_annotations(Output output, const TextStyle& /*style*/) {
  return std::make_unique<Annotations>(std::move(output));
}

}  // namespace norn
