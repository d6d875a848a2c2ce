#include "report/sarif.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/kinds.hpp"
#include "report/printable.hpp"
#include "report/sarif_flow.hpp"
#include "report/sentences.hpp"
#include "report/summary.hpp"

namespace norn {
namespace {

using nlohmann::json;

json rules() {
  json list = json::array();
  for (const Kind& kind : kinds())
    list.push_back({{"id", kind.name},
                    {"name", kind.title},
                    {"shortDescription", sarif_message(kind.title)},
                    {"fullDescription", sarif_message(kind.description)},
                    {"help", sarif_message(kind.description)},
                    {"defaultConfiguration", {{"level", kind.name == "lock-order" ? "warning" : "error"}}}});
  return list;
}

/// What stays the same when lines are added above: kinds, functions, objects, operations.
class Fingerprint {
 public:
  void add(std::string_view part) {
    for (const unsigned char c : part) mix(c);
    mix(0);
  }
  void add(const Place& place) {
    add(place.base_name());
    add(place.function);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  void mix(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3U; }  // FNV-1a

  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

std::string fingerprint(const ReportedBug& bug) {
  Fingerprint print;
  print.add(bug.kind);
  print.add(bug.place);
  // The messages of other kinds have lines in them, and what they say comes below.
  if (bug.accesses.empty() && bug.waits.empty()) print.add(bug.message);
  for (const ReportedAccess& access : bug.accesses) {
    print.add(access.action);
    print.add(access.object);
    print.add(access.when.place);
  }
  for (const ReportedWait& wait : bug.waits) {
    print.add(wait.operation);
    print.add(wait.object);
    print.add(wait.place);
  }
  return print.text();
}

std::string fingerprint(const ReportedWarning& warning) {
  Fingerprint print;
  print.add(warning.kind);
  for (const ReportedWarning::Step& step : warning.cycle) {
    print.add(step.holds);
    print.add(step.wants);
    print.add(step.wants_place);
  }
  return print.text();
}

json result(const std::string& kind, std::string_view level, const std::string& message, const std::string& print) {
  const std::size_t rule = number_of_kind(kind);
  return {{"ruleId", kinds()[rule].name},
          {"ruleIndex", rule},
          {"kind", "fail"},
          {"level", level},
          {"message", sarif_message(message)},
          {"partialFingerprints", {{"nornBug/v1", print}}}};
}

/// Numbers them, so that messages and viewers can refer to them.
json numbered(json locations) {
  for (std::size_t i = 0; i < locations.size(); ++i) locations[i]["id"] = i + 1;
  return locations;
}

class Sarif : public Reporter {
 public:
  explicit Sarif(Output output) : output_(std::move(output)) {}

  void exploration_started(const ReportedExploration& exploration) override {
    exploration_ = exploration;
    root_ = SourceRoot(exploration);
    places_ = SarifPlaces(root_);
  }

  void bug_found(const ReportedBug& bug) override { add(bug, "error"); }
  void race_found(const ReportedBug& race) override { add(race, "warning"); }

  void warning_found(const ReportedWarning& given) override {
    const ReportedWarning warning = printable(given);
    json written = result(warning.kind, "warning", summarize(warning), fingerprint(warning));
    json related = json::array();
    for (const ReportedWarning::Step& step : warning.cycle) {
      related.push_back(places_.location(step.holds_place, fmt::format("{} takes {}", step.thread, step.holds)));
      related.push_back(places_.location(step.wants_place, fmt::format("{} takes {}", step.thread, step.wants)));
    }
    const Place place = warning.cycle.empty() ? Place() : warning.cycle.front().wants_place;
    written["locations"] = json::array({main_location(place)});
    written["relatedLocations"] = numbered(std::move(related));
    results_.push_back(std::move(written));
  }

  void exploration_ended(const Report& given) override {
    const Report report = printable(given);
    const json run = {
        {"tool",
         {{"driver",
           {{"name", "Norn"},
            {"version", NORN_VERSION},
            {"semanticVersion", NORN_VERSION},
            {"shortDescription", sarif_message("Systematic testing of concurrent C++ programs")},
            {"rules", rules()}}}}},
        {"invocations", json::array({invocation(report)})},
        {"originalUriBaseIds", {{"SRCROOT", {{"uri", root_.uri()}}}}},
        {"columnKind", "unicodeCodePoints"},
        {"results", results_},
        {"properties",
         {{"verdict", report.verdict()},
          {"strategy", strategy_text(report)},
          {"executions", report.executions},
          {"seconds", report.seconds}}},
    };
    const json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", json::array({run})}};
    output_(log.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  }

 private:
  void add(const ReportedBug& given, std::string_view level) {
    const ReportedBug bug = printable(given);
    json written = result(bug.kind, level, summarize(bug), fingerprint(bug));
    written["locations"] = json::array({main_location(bug.place)});
    if (json related = related_locations(bug); !related.empty())
      written["relatedLocations"] = numbered(std::move(related));
    if (!bug.stack.empty())
      written["stacks"] = json::array({places_.stack(bug.stack, "Call stack of thread " + bug.thread)});
    if (json flow = places_.code_flow(bug); !flow.at("threadFlows").empty()) written["codeFlows"] = json::array({flow});
    written["occurrenceCount"] = bug.count;
    written["properties"] = {{"thread", bug.thread}, {"preemptions", bug.preemptions}, {"message", bug.message}};
    if (!given.trace.empty()) written["properties"]["replay"] = replay_command(given);
    results_.push_back(std::move(written));
  }

  /// Code scanning takes no result without one.
  [[nodiscard]] json main_location(Place place) const {
    if (place.file.empty()) place.file = exploration_.program;
    return places_.location(place);
  }

  [[nodiscard]] json related_locations(const ReportedBug& bug) const {
    json list = json::array();
    const auto add = [&](const Place& place, const std::string& message) {
      if (!place.file.empty()) list.push_back(places_.location(place, message));
    };
    for (const ReportedAccess& access : bug.accesses) {
      add(access.when.place, fmt::format("{} {} {}", access.when.thread, access.action, access.what));
      for (const ReportedLock& lock : access.locks)
        add(lock.taken.place, fmt::format("{} holds {} since here", access.when.thread, lock.object));
    }
    if (bug.block) add(bug.block->allocated.place, bug.block->allocated.thread + " allocates the block");
    if (bug.block && bug.block->freed) add(bug.block->freed->place, bug.block->freed->thread + " frees the block");
    for (const ReportedWait& wait : bug.waits) add(wait.place, wait.thread + " waits here for ever");
    for (const ReportedLock& lock : bug.held)
      add(lock.taken.place, fmt::format("{} holds {} since here", lock.taken.thread, lock.object));
    return list;
  }

  [[nodiscard]] json invocation(const Report& report) const {
    std::vector<std::string> words;
    for (const std::string& word : exploration_.command) words.push_back(for_a_shell(word));
    json written = {{"executionSuccessful", true},
                    {"exitCode", report.exit_code()},
                    {"commandLine", fmt::format("{}", fmt::join(words, " "))},
                    {"workingDirectory", {{"uri", directory_uri(exploration_.directory)}}},
                    {"startTimeUtc",
                     fmt::format("{:%FT%TZ}",
                                 fmt::gmtime(std::chrono::time_point_cast<std::chrono::seconds>(exploration_.begin)))}};
    // Whoever reads only the results should not take an exploration for complete that was not.
    if (report.complete) return written;
    for (const std::string& remark : remarks(report))
      written["toolExecutionNotifications"].push_back(
          {{"level", report.bugs.empty() ? "warning" : "note"}, {"message", sarif_message(remark)}});
    return written;
  }

  Output output_;
  ReportedExploration exploration_;
  SourceRoot root_;
  SarifPlaces places_;
  json results_ = json::array();
};

}  // namespace

std::unique_ptr<Reporter> make_sarif(Output output, const TextStyle& /*style*/) {
  return std::make_unique<Sarif>(std::move(output));
}

}  // namespace norn
