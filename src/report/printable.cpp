#include "report/printable.hpp"

#include <utility>

namespace norn {
namespace {

constexpr std::size_t longest_object = 60;
constexpr std::size_t longest_thread = 60;

void clean(std::string& text) { text = printable(text); }

/// What is in an anonymous namespace is known to its readers without it.
std::string without_anonymous(std::string name) {
  constexpr std::string_view scope = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(scope, at)) != std::string::npos;) name.erase(at, scope.size());
  return name;
}

void clean(Place& place) {
  if (const std::string shown = printable(place.file); shown != place.file)
    place.path = std::exchange(place.file, shown);
  place.function = without_anonymous(printable(place.function));
}

void clean(std::vector<Place>& stack) {
  for (Place& place : stack) clean(place);
}

void clean_thread(std::string& name) { name = shorten(printable(name), longest_thread); }
void clean_object(std::string& name) { name = shorten_name(without_anonymous(printable(name)), longest_object); }

void clean(Moment& moment) {
  clean_thread(moment.thread);
  clean(moment.place);
  clean(moment.stack);
}

void clean(ReportedLock& lock) {
  clean_object(lock.object);
  clean(lock.taken);
}

void clean(ReportedEvent& event) {
  clean_thread(event.thread);
  clean(event.operation);
  clean_thread(event.alternative);
  clean_object(event.object);
  clean(event.place);
  clean(event.value);
  clean(event.call);
  clean(event.stack);
}

void clean(ReportedLink& link) {
  clean_thread(link.thread);
  clean_thread(link.other);
  clean_object(link.object);
  clean(link.place);
  clean(link.stack);
}

void clean(ReportedWait& wait) {
  clean_thread(wait.thread);
  clean(wait.operation);
  clean_object(wait.object);
  clean_thread(wait.holder);
  clean(wait.place);
  clean(wait.stack);
}

void clean(ReportedAccess& access) {
  clean(access.when);
  clean(access.action);
  clean_object(access.object);
  access.what = shorten_name(without_anonymous(printable(access.what)), 2 * longest_object);
  for (ReportedLock& lock : access.locks) clean(lock);
}

void clean_legend(std::vector<std::pair<std::string, std::string>>& legend) {
  for (auto& [name, what] : legend) {
    clean_object(name);
    what = without_anonymous(printable(what));
  }
}

void clean(ReportedBug& bug) {
  clean(bug.kind);
  clean(bug.message);
  clean_thread(bug.thread);
  clean(bug.place);
  clean(bug.stack);
  for (ReportedEvent& event : bug.events) clean(event);
  for (ReportedWait& wait : bug.waits) clean(wait);
  for (ReportedAccess& access : bug.accesses) clean(access);
  if (bug.block) clean(bug.block->allocated);
  if (bug.block && bug.block->freed) clean(*bug.block->freed);
  for (ReportedLock& lock : bug.held) clean(lock);
  for (ReportedLink& link : bug.links) clean(link);
  clean_legend(bug.legend);
  for (auto& [thread, name] : bug.own_names) {
    clean_thread(thread);
    clean(name);
  }
  for (ReportedBug& run : bug.original) clean(run);
  for (ReportedBug& run : bug.passing) clean(run);
}

void clean(ReportedWarning& warning) {
  clean(warning.kind);
  clean(warning.message);
  for (ReportedWarning::Step& step : warning.cycle) {
    clean_thread(step.thread);
    clean_object(step.holds);
    clean_object(step.wants);
    clean(step.holds_place);
    clean(step.wants_place);
    clean(step.holds_stack);
    clean(step.wants_stack);
  }
  clean_legend(warning.legend);
}

}  // namespace

Report printable(Report report) {
  clean(report.program);
  clean(report.strategy);
  clean(report.strategy_used);
  clean(report.guarantee);
  for (std::string& reason : report.reasons) clean(reason);
  clean(report.checkpoint_problem);
  if (report.control)
    for (auto* const texts : {&report.control->instrumented, &report.control->others, &report.control->bounds})
      for (std::string& text : *texts) clean(text);
  for (ReportedBug& bug : report.bugs) clean(bug);
  for (ReportedBug& race : report.races) clean(race);
  for (ReportedWarning& warning : report.warnings) clean(warning);
  return report;
}

ReportedBug printable(ReportedBug bug) {
  clean(bug);
  return bug;
}

ReportedWarning printable(ReportedWarning warning) {
  clean(warning);
  return warning;
}

}  // namespace norn
