#include "report/html.hpp"

#include <fmt/format.h>

#include "report/details.hpp"
#include "report/html_coverage.hpp"
#include "report/html_page.hpp"
#include "report/html_run.hpp"
#include "report/printable.hpp"
#include "report/sentences.hpp"
#include "report/summary.hpp"

namespace norn {
namespace {

using nlohmann::json;

/// The longest part of what a program printed that a page shows.
constexpr std::size_t longest_output = 100'000;

std::string details(const ReportedBug& bug) {
  constexpr TextStyle style{.scrolls = true};
  std::string text = access_details(bug, style) + waiting_details(bug, style);
  if (bug.waits.empty() && bug.accesses.empty() && bug.kind != "finished") text += failure_details(bug, style);
  return text;
}

json runs_of(const ReportedBug& bug, HtmlTables& tables) {
  const bool passes = bug.kind == "finished";
  json runs = json::array();
  const auto add = [&](const char* name, const ReportedBug& run) {
    runs.push_back(html_run(run, tables));
    runs.back()["name"] = name;
  };
  add(passes ? "Run" : bug.original.empty() ? "Failing run" : "Minimised", bug);
  for (const ReportedBug& run : bug.original) add("As found", run);
  if (passes) return runs;
  for (const ReportedBug& run : bug.passing) {
    add("Passing run", run);
    runs.back()["difference"] = html_difference(bug, run);
  }
  return runs;
}

json write(const ReportedBug& bug, bool is_warning, HtmlTables& tables) {
  const bool passes = bug.kind == "finished";
  const bool says_all = bug.kind == "data-race" || bug.kind == "deadlock" || bug.kind == "livelock";  // the summary
  std::string remark = bug.count > 1 ? fmt::format("This was seen in {} runs. ", bug.count) : "";
  if (!bug.reproduced)
    remark += "Running the same schedule again gave another result: the program depends on something uncontrolled. ";
  return {{"kind", kind_text(bug)},
          {"warning", is_warning},
          {"passes", passes},
          {"message", says_all ? "" : bug.message},
          {"summary", passes ? "This run ended well." : summarize(bug)},
          {"thread", bug.thread},
          {"location", bug.place.text()},
          {"remark", remark + simplified(bug)},
          {"details", details(bug)},
          {"output", bug.output.substr(0, longest_output)},
          {"command", bug.trace.empty() ? "" : replay_command(bug)},
          {"runs", runs_of(bug, tables)}};
}

json write(const ReportedWarning& warning) {
  return {{"kind", warning.kind},
          {"summary", summarize(warning)},
          {"details", legend_text(warning.legend, {}) + warning_details(warning, {})}};
}

/// Nothing in the text can end the element that it is put into, or begin a comment there.
std::string for_script(const json& data) {
  const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  return escaped;
}

/// Null if the strategy did not look at it.
json coverage_of(const Report& report) {
  if (!report.coverage.contains("requirements")) return nullptr;
  CoverageRecord record;
  record.add(report.coverage, report.executions);
  return html_coverage(record);
}

std::string page_with(json data, const HtmlTables& tables) {
  data["places"] = tables.places();
  data["stacks"] = tables.stacks();
  data["sources"] = tables.sources();
  constexpr std::string_view mark = "@DATA@";
  const std::size_t at = html_page.find(mark);
  return fmt::format("{}{}{}", html_page.substr(0, at), for_script(data), html_page.substr(at + mark.size()));
}

}  // namespace

std::string to_html(const Report& given) {
  const Report report = printable(given);
  HtmlTables tables;
  json bugs = json::array();
  for (std::size_t i = 0; i < report.bugs.size(); ++i) {
    bugs.push_back(write(report.bugs[i], false, tables));
    if (!given.bugs[i].trace.empty()) bugs.back()["command"] = replay_command(given.bugs[i]);
  }
  for (const ReportedBug& race : report.races) bugs.push_back(write(race, true, tables));
  json warnings = json::array();
  for (const ReportedWarning& warning : report.warnings) warnings.push_back(write(warning));
  json summary = to_json(report);
  for (const char* const part : {"bugs", "warnings", "coverage"}) summary.erase(part);
  return page_with({{"title", report.program},
                    {"verdict", report.verdict()},
                    {"headline", capitalized(finding(report))},
                    {"remarks", remarks(report)},
                    {"summary", summary},
                    {"bugs", bugs},
                    {"warnings", warnings},
                    {"sequences", report.sequences},
                    {"coverage", coverage_of(report)}},
                   tables);
}

std::string to_html(const std::string& program, const ReportedBug& run) {
  Report given;
  given.program = program;
  given.bugs.push_back(run);
  const Report report = printable(given);
  const ReportedBug& bug = report.bugs.front();
  HtmlTables tables;
  const bool passes = bug.kind == "finished";
  json written = write(bug, false, tables);
  if (!run.trace.empty()) written["command"] = replay_command(run);
  return page_with({{"title", report.program},
                    {"verdict", passes ? "pass" : "bug"},
                    {"headline", passes ? "A recorded run that ends well"
                                        : fmt::format("A recorded run that fails: {}", kind_text(bug))},
                    {"remarks", json::array()},
                    {"summary", nullptr},
                    {"bugs", {written}},
                    {"warnings", json::array()},
                    {"sequences", nullptr},
                    {"coverage", nullptr}},
                   tables);
}

std::string to_html(const std::string& file, const CoverageRecord& record) {
  const json coverage = html_coverage(record);
  return page_with({{"title", printable(file)},
                    {"verdict", nullptr},
                    {"headline", coverage.at("headline")},
                    {"remarks", json::array()},
                    {"summary", nullptr},
                    {"bugs", json::array()},
                    {"warnings", json::array()},
                    {"sequences", nullptr},
                    {"coverage", coverage}},
                   {});
}

}  // namespace norn
