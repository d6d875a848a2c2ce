#include "report/report.hpp"

#include <fmt/format.h>

#include <map>

namespace norn {
namespace {

using nlohmann::json;

/// Gives objects that have no name of their own a number, in the order in which they are met.
class ObjectNames {
 public:
  ObjectNames(Names& names, const json& memory) : names_(names) {
    for (const json& range : memory) ranges_.push_back({range.at("what"), range.at("begin"), range.at("end")});
  }

  std::string name(std::uint64_t address) {
    std::string global = names_.object(address);
    if (!global.empty()) return global;
    const auto [entry, is_new] = numbers_.try_emplace(address, numbers_.size() + 1);
    for (const Range& range : ranges_)
      if (address >= range.begin && address < range.end) return fmt::format("#{} ({})", entry->second, range.what);
    return fmt::format("#{}", entry->second);
  }

 private:
  struct Range {
    std::string what;
    std::uint64_t begin;
    std::uint64_t end;
  };

  Names& names_;
  std::vector<Range> ranges_;
  std::map<std::uint64_t, std::size_t> numbers_;
};

ReportedBug make_bug(const json& sent, Names& names, const json& memory) {
  ObjectNames objects(names, memory);
  ReportedBug bug;
  bug.kind = sent.at("kind");
  bug.message = sent.at("message");
  bug.thread = sent.at("thread");
  bug.count = sent.at("count");
  bug.preemptions = sent.at("preemptions");
  if (sent.contains("minimised")) bug.minimised = sent.at("minimised").get<Minimisation>();
  bug.reproduced = sent.at("reproduced");
  bug.output = sent.at("output");
  bug.stack = names.frames(sent.at("stack"));
  for (const json& event : sent.at("events"))
    bug.events.push_back({event.at("thread"), event.at("operation"), event.at("alternative"),
                          objects.name(event.at("object")), names.place(event.at("stack"), event.at("site"))});
  for (const json& wait : sent.at("blocked"))
    bug.waits.push_back({wait.at("thread"), wait.at("operation"), objects.name(wait.at("object")), wait.at("holder"),
                         names.place(wait.at("stack"), wait.at("site"))});
  bug.place = bug.waits.empty() ? names.place(sent.at("stack"), sent.at("site")) : bug.waits.front().place;
  return bug;
}

std::string describe_deadlock(const ReportedBug& bug) {
  std::string threads;
  for (const ReportedWait& wait : bug.waits) threads += (threads.empty() ? "" : ", ") + wait.thread;
  return fmt::format("no thread can go on: {} {} for ever", threads, bug.waits.size() == 1 ? "waits" : "wait");
}

}  // namespace

Report make_report(const std::string& program, const json& sent) {
  Report report;
  report.program = program;
  report.strategy = sent.at("strategy");
  report.guarantee = sent.at("guarantee");
  report.complete = sent.at("complete");
  report.reasons = sent.at("reasons");
  report.executions = sent.at("executions");
  report.distinct = sent.at("distinct");
  report.deadlocks = sent.at("deadlocks");
  report.events = sent.at("events");
  report.threads_max = sent.at("threads_max");
  report.seconds = sent.at("seconds");
  report.peak_memory = sent.at("peak_memory_bytes");
  Names names(sent.at("modules"));
  for (const json& bug : sent.at("bugs")) report.bugs.push_back(make_bug(bug, names, sent.at("memory")));
  for (ReportedBug& bug : report.bugs)
    if (bug.kind == "deadlock") bug.message = describe_deadlock(bug);
  return report;
}

json to_json(const Report& report) {
  json bugs = json::array();
  for (const ReportedBug& bug : report.bugs)
    bugs.push_back({{"kind", bug.kind},
                    {"message", bug.message},
                    {"thread", bug.thread},
                    {"location", bug.place.text()},
                    {"count", bug.count},
                    {"preemptions", bug.preemptions},
                    {"minimised", bug.minimised ? json(*bug.minimised) : json()},
                    {"trace", bug.trace}});
  return {{"norn", NORN_VERSION},
          {"program", report.program},
          {"strategy", report.strategy},
          {"memory_model", "sc"},
          {"verdict", report.verdict()},
          {"complete", report.complete},
          {"reasons", report.reasons},
          {"guarantee", report.guarantee},
          {"executions", report.executions},
          {"partial_runs", 0},
          {"distinct", report.distinct < 0 ? json() : json(report.distinct)},
          {"deadlocks", report.deadlocks},
          {"events", report.events},
          {"threads_max", report.threads_max},
          {"seconds", report.seconds},
          {"executions_per_second", report.seconds > 0 ? static_cast<double>(report.executions) / report.seconds : 0.0},
          {"peak_memory_bytes", report.peak_memory},
          {"bugs", bugs},
          {"coverage", json::object()},
          {"inputs", json::object()},
          {"unfolding", json::object()}};
}

}  // namespace norn
