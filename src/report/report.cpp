#include "report/report.hpp"

#include "report/summary.hpp"

namespace norn {

using nlohmann::json;

namespace {

json to_json(const std::vector<ReportedAccess>& accesses) {
  json list = json::array();
  for (const ReportedAccess& access : accesses) {
    json locks = json::array();
    for (const ReportedLock& lock : access.locks)
      locks.push_back({{"object", lock.object}, {"location", lock.taken.place.text()}});
    list.push_back({{"thread", access.when.thread},
                    {"action", access.action},
                    {"object", access.what},
                    {"size", access.size},
                    {"location", access.when.place.text()},
                    {"locks", locks}});
  }
  return list;
}

json to_json(const std::optional<ReportedMinimisation>& minimised) {
  if (!minimised) return nullptr;
  return {{"runs", minimised->runs},
          {"from_events", minimised->from_events},
          {"from_preemptions", minimised->from_preemptions},
          {"complete", minimised->complete}};
}

json to_json(const std::vector<ReportedWait>& waits) {
  json list = json::array();
  for (const ReportedWait& wait : waits)
    list.push_back({{"thread", wait.thread},
                    {"operation", wait.operation},
                    {"object", wait.object},
                    {"holder", wait.holder},
                    {"location", wait.place.text()}});
  return list;
}

json to_json(const ReportedBug& bug) {
  return {{"kind", bug.kind},
          {"message", bug.message},
          {"summary", summarize(bug)},
          {"thread", bug.thread},
          {"location", bug.place.text()},
          {"count", bug.count},
          {"preemptions", bug.preemptions},
          {"minimised", to_json(bug.minimised)},
          {"accesses", to_json(bug.accesses)},
          {"waits", to_json(bug.waits)},
          {"trace", bug.trace}};
}

json to_json(const ReportedWarning& warning) {
  json cycle = json::array();
  for (const ReportedWarning::Step& step : warning.cycle)
    cycle.push_back({{"thread", step.thread},
                     {"holds", step.holds},
                     {"holds_location", step.holds_place.text()},
                     {"wants", step.wants},
                     {"wants_location", step.wants_place.text()}});
  return {{"kind", warning.kind}, {"message", warning.message}, {"summary", summarize(warning)}, {"cycle", cycle}};
}

}  // namespace

json to_json(const Report& report) {
  json bugs = json::array();
  for (const ReportedBug& bug : report.bugs) bugs.push_back(to_json(bug));
  json warnings = json::array();
  for (const ReportedBug& race : report.races)
    warnings.push_back({{"kind", race.kind},
                        {"message", race.message},
                        {"summary", summarize(race)},
                        {"location", race.place.text()},
                        {"count", race.count},
                        {"accesses", to_json(race.accesses)}});
  for (const ReportedWarning& warning : report.warnings) warnings.push_back(to_json(warning));
  return {{"norn", NORN_VERSION},
          {"program", report.program},
          {"strategy", report.strategy},
          {"strategy_used", report.strategy_used.empty() ? report.strategy : report.strategy_used},
          {"memory_model", "sc"},
          {"verdict", report.verdict()},
          {"complete", report.complete},
          {"reasons", report.reasons},
          {"estimate", report.estimate ? json(*report.estimate) : json()},
          {"guarantee", report.guarantee},
          {"assumptions", report.assumptions},
          {"executions", report.executions},
          {"partial_runs", report.partial_runs},
          {"distinct", report.distinct < 0 ? json() : json(report.distinct)},
          {"deadlocks", report.deadlocks},
          {"events", report.events},
          {"threads_max", report.threads_max},
          {"seconds", report.seconds},
          {"executions_per_second", report.seconds > 0 ? static_cast<double>(report.executions) / report.seconds : 0.0},
          {"peak_memory_bytes", report.peak_memory},
          {"bugs", bugs},
          {"warnings", warnings},
          {"controlled", report.control ? to_json(*report.control, report.threads_max) : json()},
          {"checkpoint", report.checkpoint.empty() ? json() : json(report.checkpoint)},
          {"resume", report.resume_command.empty() ? json() : json(report.resume_command)},
          {"race_tables", report.race_tables},
          {"coverage", report.coverage},
          {"inputs", json::object()},
          {"unfolding", json::object()}};
}

}  // namespace norn
