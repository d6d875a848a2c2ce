#include "report/sarif_flow.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/arrows.hpp"

namespace norn {
namespace {

using nlohmann::json;

/// Code scanning shows no more steps of a run than this. Of longer runs the end is written, and what matters before it.
constexpr std::size_t longest_flow = 1000;

/// As SARIF calls them (3.38.8).
json kinds_of(const ReportedBug& bug, const TimelineRow& row) {
  if (row.kind == "event" && takes_lock(bug.events[row.step])) return json::array({"acquire", "lock"});
  if (gives_back(bug, row)) return json::array({"release", "lock"});
  if (row.kind == "access") return row.marked ? json::array({"memory", "danger"}) : json::array({"memory"});
  if (row.marked) return json::array({"danger"});
  return nullptr;
}

std::string importance(const TimelineRow& row) {
  if (row.marked) return "essential";
  return row.key || row.kind == "event" ? "important" : "unimportant";
}

}  // namespace

json sarif_message(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("](")) escaped += '\\';
    if (text[i] == '{' || text[i] == '}') escaped += text[i];
    escaped += text[i];
  }
  return {{"text", escaped}};
}

json SarifPlaces::location(const Place& place, const std::string& message) const {
  json result = json::object();
  if (!place.file.empty()) {
    const std::string uri = root_.uri(place.source());
    json& physical = result["physicalLocation"];
    physical["artifactLocation"]["uri"] = uri;
    if (!uri.starts_with("file:")) physical["artifactLocation"]["uriBaseId"] = "SRCROOT";
    if (place.line > 0) physical["region"]["startLine"] = place.line;
  }
  if (!place.function.empty())
    result["logicalLocations"] = json::array({json{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
  if (!message.empty()) result["message"] = sarif_message(message);
  return result;
}

json SarifPlaces::stack(const std::vector<Place>& frames, const std::string& message) const {
  json list = json::array();
  for (const Place& frame : frames) list.push_back({{"location", location(frame)}});
  return {{"message", sarif_message(message)}, {"frames", list}};
}

json SarifPlaces::step(const ReportedBug& bug, const TimelineRow& row, std::size_t order) const {
  json result = {
      {"location", location(row.place, row.text)}, {"executionOrder", order}, {"importance", importance(row)}};
  if (json kinds = kinds_of(bug, row); !kinds.is_null()) result["kinds"] = std::move(kinds);
  if (row.marked && row.stack != nullptr && !row.stack->empty())
    result["stack"] = stack(*row.stack, "Call stack of thread " + row.thread);
  return result;
}

json SarifPlaces::code_flow(const ReportedBug& bug) const {
  const Timeline timeline = timeline_of(bug);
  const std::size_t size = timeline.rows.size();
  std::vector<std::string> threads;
  json flows = json::array();
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const TimelineRow& row = timeline.rows[i];
    if (i + longest_flow < size && !row.key && !row.marked) {
      ++left_out;
      continue;
    }
    const auto known = std::find(threads.begin(), threads.end(), row.thread);
    const auto number = static_cast<std::size_t>(known - threads.begin());
    if (known == threads.end()) {
      threads.push_back(row.thread);
      flows.push_back({{"id", row.thread}, {"message", sarif_message("Thread " + row.thread)}});
    }
    flows[number]["locations"].push_back(step(bug, row, i + 1));
  }
  std::string message = fmt::format("The run that shows it: {}, {}", plural(bug.events.size(), "event"),
                                    plural(bug.preemptions, "preemption"));
  if (left_out != 0) message += fmt::format("; {} at its beginning left out", plural(left_out, "step"));
  return {{"message", sarif_message(message)}, {"threadFlows", flows}};
}

}  // namespace norn
