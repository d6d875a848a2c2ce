// What the runtime sends, with addresses, becomes a report, with names.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/deadlock.hpp"
#include "report/objects.hpp"
#include "report/report.hpp"
#include "report/sequences.hpp"

namespace norn {
namespace {

using nlohmann::json;

/// A member of an object, or nothing if it has none or it is null.
const json& member(const json& object, const char* name) {
  static const json nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

template <typename T>
T value(const json& object, const char* name, T otherwise = {}) {
  const json& found = member(object, name);
  return found.is_null() ? otherwise : found.get<T>();
}

/// Operations whose object is not one of the program's.
bool has_object(const std::string& operation) {
  return !operation.starts_with("thread.") && !operation.starts_with("process.") && !operation.starts_with("step.") &&
         operation != "yield";
}

bool has_value(const std::string& operation) { return operation.starts_with("atomic."); }

/// The events of longer runs have no call stacks: nobody could look at all of them, and they would take much memory.
constexpr std::size_t most_with_stacks = 20'000;

class BugReader {
 public:
  BugReader(Names& names, const json& memory, const json& sent)
      : names_(names), objects_(names, memory, member(sent, "frames")) {}

  ReportedBug read(const json& sent) {
    ReportedBug bug;
    read_head(sent, bug);
    if (const json& block = member(sent, "block"); block.is_object()) {
      bug.block = read_block(block);
      objects_.set_block(*bug.block, accessed(member(sent, "accesses")));
    }
    with_stacks_ = member(sent, "events").size() <= most_with_stacks;
    for (const json& event : member(sent, "events")) bug.events.push_back(read_event(event));
    for (const json& wait : member(sent, "blocked")) bug.waits.push_back(read_wait(wait));
    const json& accesses = member(sent, "accesses");
    const auto shared = accesses.size() == 2 ? common_bytes(accesses[0], accesses[1]) : 0;
    for (const json& access : accesses)
      if (!is_leak(bug)) bug.accesses.push_back(read_access(access, shared));
    if (is_leak(bug)) bug.place = bug.block->allocated.place;
    if (const auto misused = value<std::uint64_t>(sent, "object"); misused != 0) bug.object = objects_.name(misused);
    for (const json& lock : member(sent, "held")) bug.held.push_back(read_lock(lock));
    for (const json& link : member(sent, "links")) bug.links.push_back(read_link(link));
    if (!bug.waits.empty()) set_stuck(bug);
    if (bug.kind == "data-race" && !bug.accesses.empty()) set_failure(bug, bug.accesses.back().when);
    if (bug.place.file.empty() && !bug.accesses.empty()) bug.place = bug.accesses.back().when.place;
    bug.legend = objects_.legend();
    for (const auto& [thread, name] : member(sent, "own_names").items()) bug.own_names.emplace_back(thread, name);
    return bug;
  }

  ReportedWarning read_warning(const json& sent) {
    ReportedWarning warning{value<std::string>(sent, "kind"), value<std::string>(sent, "message"), {}, {}};
    if (sent.contains("attempts")) warning.attempts = value<std::uint64_t>(sent, "attempts");
    for (const json& step : member(sent, "cycle"))
      warning.cycle.push_back({value<std::string>(step, "thread"), objects_.name(value<std::uint64_t>(step, "holds")),
                               objects_.name(value<std::uint64_t>(step, "wants")),
                               names_.place(stack(step, "holds_stack"), value<std::uint64_t>(step, "holds_site")),
                               names_.place(stack(step, "wants_stack"), value<std::uint64_t>(step, "wants_site")),
                               names_.frames(stack(step, "holds_stack")), names_.frames(stack(step, "wants_stack"))});
    warning.legend = objects_.legend();
    return warning;
  }

 private:
  static json stack(const json& sent, const char* name) {
    const json& found = member(sent, name);
    return found.is_array() ? found : json::array();
  }

  Place place(const json& sent) { return names_.place(stack(sent, "stack"), value<std::uint64_t>(sent, "site")); }

  void read_head(const json& sent, ReportedBug& bug) {
    bug.kind = sent.at("kind");
    bug.message = value<std::string>(sent, "message");
    bug.thread = value<std::string>(sent, "thread", "main");
    bug.count = value<std::uint64_t>(sent, "count", 1);
    bug.preemptions = value<unsigned>(sent, "preemptions");
    bug.reproduced = value<bool>(sent, "reproduced", true);
    bug.output = value<std::string>(sent, "output");
    bug.stack = names_.frames(stack(sent, "stack"));
    bug.place = place(sent);
    if (const json& minimised = member(sent, "minimised"); minimised.is_object())
      bug.minimised = ReportedMinimisation{
          value<std::uint64_t>(minimised, "runs"), value<std::uint64_t>(minimised, "from_events"),
          value<std::uint64_t>(minimised, "from_preemptions"), value<bool>(minimised, "complete", true)};
  }

  /// A run with a race goes on and may end anywhere: what fails is the access that completes the race.
  static void set_failure(ReportedBug& bug, const Moment& moment) {
    bug.thread = moment.thread;
    bug.place = moment.place;
    bug.stack = moment.stack;
  }

  /// Who joins threads that are stuck has nothing to do with that.
  static void set_stuck(ReportedBug& bug) {
    const auto is_it = [&bug](const ReportedWait* wait) {
      return bug.kind == "livelock" ? wait->thread == bug.thread : wait->operation != "thread.join";
    };
    const Deadlock deadlock = analyse_deadlock(bug);
    std::vector<const ReportedWait*> waits = deadlock.cycle;
    waits.insert(waits.end(), deadlock.roots.begin(), deadlock.roots.end());
    waits.insert(waits.end(), deadlock.followers.begin(), deadlock.followers.end());
    const auto found = std::find_if(waits.begin(), waits.end(), is_it);
    const ReportedWait& wait = found == waits.end() ? bug.waits.front() : **found;
    bug.thread = wait.thread;
    bug.place = wait.place;
    bug.stack = wait.stack;
  }

  /// From where to where the bytes are that the bug is about.
  static std::pair<std::uint64_t, std::uint64_t> accessed(const json& accesses) {
    if (accesses.size() != 1) return {};
    return {address(accesses[0]), address(accesses[0]) + value<std::uint64_t>(accesses[0], "size")};
  }

  Moment read_moment(const json& sent) {
    return {value<std::string>(sent, "thread"), value<std::size_t>(sent, "step"), place(sent),
            names_.frames(stack(sent, "stack")), value<std::size_t>(sent, "links", SIZE_MAX)};
  }

  ReportedBlock read_block(const json& sent) {
    ReportedBlock block{value<std::uint64_t>(sent, "begin"), value<std::uint64_t>(sent, "size"),
                        read_moment(member(sent, "allocated")), std::nullopt};
    if (const json& freed = member(sent, "freed"); freed.is_object()) block.freed = read_moment(freed);
    return block;
  }

  ReportedEvent read_event(const json& sent) {
    const auto operation = sent.at("operation").get<std::string>();
    const auto address = value<std::uint64_t>(sent, "object");
    return {sent.at("thread"),
            operation,
            value<std::string>(sent, "alternative", "-"),
            has_object(operation) ? objects_.name(address) : "",
            place(sent),
            address,
            has_value(operation) && !member(sent, "value").is_null()
                ? objects_.value(sent["value"].get<std::uint64_t>())
                : "",
            value<bool>(sent, "reads"),
            value<bool>(sent, "preempts"),
            operation == "atomic.update" ? update_name(sent) : "",
            with_stacks_ ? frames(stack(sent, "stack")) : std::vector<Place>()};
  }

  /// Long runs have the same few stacks again and again.
  const std::vector<Place>& frames(const json& addresses) {
    const auto [entry, is_new] = stacks_.try_emplace(addresses.get<std::vector<std::uint64_t>>());
    if (is_new) entry->second = names_.frames(addresses);
    return entry->second;
  }

  ReportedLink read_link(const json& sent) {
    const auto address = value<std::uint64_t>(sent, "object");
    // Threads, as objects, have small numbers.
    constexpr std::uint64_t page_size = 4096;
    return {value<std::string>(sent, "kind"),
            value<std::size_t>(sent, "step"),
            value<std::string>(sent, "thread"),
            value<std::string>(sent, "other"),
            address < page_size ? "" : objects_.name(address),
            address,
            value<std::size_t>(sent, "links"),
            place(sent),
            names_.frames(stack(sent, "stack"))};
  }

  /// Operators are made of these.
  std::string update_name(const json& sent) {
    static const std::set<std::string> known = {"fetch_add", "fetch_sub", "fetch_and",   "fetch_or",
                                                "fetch_xor", "exchange",  "test_and_set"};
    const std::string name = names_.innermost_function(stack(sent, "stack"), value<std::uint64_t>(sent, "site"));
    return known.contains(name) ? name : "";
  }

  ReportedWait read_wait(const json& sent) {
    const auto operation = sent.at("operation").get<std::string>();
    const auto address = value<std::uint64_t>(sent, "object");
    return {sent.at("thread"),
            operation,
            has_object(operation) ? objects_.name(address) : "",
            value<std::string>(sent, "holder"),
            place(sent),
            address,
            names_.frames(stack(sent, "stack"))};
  }

  ReportedLock read_lock(const json& sent) {
    const auto address = value<std::uint64_t>(sent, "object");
    return {objects_.name(address), address, read_moment(sent)};
  }

  /// Of two accesses that race, where what they have in common begins: one of them may be to a whole array.
  static std::uint64_t common_bytes(const json& first, const json& second) {
    const auto end = [](const json& sent) { return address(sent) + value<std::uint64_t>(sent, "size"); };
    const std::uint64_t begin = std::max(address(first), address(second));
    return begin < std::min(end(first), end(second)) ? begin : 0;
  }

  static std::uint64_t address(const json& sent) { return value<std::uint64_t>(sent, "address"); }

  /// It is named after what is at `from`, if that is within it.
  ReportedAccess read_access(const json& sent, std::uint64_t from) {
    const std::uint64_t begin = address(sent);
    const std::uint64_t named = std::max(begin, from);
    ReportedAccess access{read_moment(sent),
                          value<std::string>(sent, "action", "reads"),
                          objects_.name(named),
                          objects_.description(named),
                          named,
                          begin + value<std::uint64_t>(sent, "size") - named,
                          {}};
    for (const json& lock : member(sent, "locks")) {
      access.locks.push_back(read_lock(lock));
      access.locks.back().taken.thread = access.when.thread;
    }
    return access;
  }

  Names& names_;
  ObjectNames objects_;
  bool with_stacks_ = true;
  std::map<std::vector<std::uint64_t>, std::vector<Place>> stacks_;
};

std::string describe_deadlock(const ReportedBug& bug) {
  std::string threads;
  for (const ReportedWait& wait : bug.waits) threads += (threads.empty() ? "" : ", ") + wait.thread;
  return fmt::format("no thread can go on: {} {} for ever", threads, bug.waits.size() == 1 ? "waits" : "wait");
}

std::string describe_race(const ReportedBug& bug) {
  if (bug.accesses.size() != 2) return "data race";
  const ReportedAccess& first = bug.accesses[0];
  const ReportedAccess& second = bug.accesses[1];
  return fmt::format("data race on {}: {} {} at {}, {} {} at {}", first.what, first.when.thread, first.action,
                     first.when.place.text(), second.when.thread, second.action, second.when.place.text());
}

/// What the runtime leaves to be said once everything has its name.
void complete_message(ReportedBug& bug) {
  if (bug.kind == "deadlock") bug.message = describe_deadlock(bug);
  if (bug.kind == "data-race") bug.message = describe_race(bug);
  if (!bug.object.empty()) bug.message += fmt::format(" ({})", bug.object);
}

/// Another run of the same program, whose variables lie where those of the failing one do.
json with_frames_of(const json& failing, json run) {
  json& frames = run["frames"];
  for (const json& frame : member(failing, "frames")) frames.push_back(frame);
  return run;
}

ReportedBug read_bug(Names& names, const json& memory, const json& sent) {
  ReportedBug bug = BugReader(names, memory, sent).read(sent);
  complete_message(bug);
  for (const auto& [name, runs] : {std::pair("original", &bug.original), std::pair("passing", &bug.passing)})
    if (const json& run = member(sent, name); run.is_object())
      runs->push_back(read_bug(names, memory, with_frames_of(sent, run)));
  return bug;
}

}  // namespace

Report make_report(const std::string& program, const json& sent) {
  Report report;
  report.program = program;
  report.strategy = value<std::string>(sent, "strategy");
  report.strategy_used = value<std::string>(sent, "strategy_used");
  report.guarantee = value<std::string>(sent, "guarantee");
  report.complete = value<bool>(sent, "complete");
  report.reasons = value<std::vector<std::string>>(sent, "reasons");
  if (const json& estimate = member(sent, "estimate"); estimate.is_object())
    report.estimate = estimate.get<ReportedEstimate>();
  report.executions = value<std::uint64_t>(sent, "executions");
  report.partial_runs = value<std::uint64_t>(sent, "partial_runs");
  report.distinct = value<std::int64_t>(sent, "distinct");
  report.deadlocks = value<std::uint64_t>(sent, "deadlocks");
  report.events = value<std::uint64_t>(sent, "events");
  report.threads_max = value<unsigned>(sent, "threads_max");
  report.seconds = value<double>(sent, "seconds");
  report.race_tables = value<json>(sent, "race_tables", json::object());
  report.peak_memory = value<std::uint64_t>(sent, "peak_memory_bytes");
  Names names(member(sent, "modules"));
  for (const json& bug : member(sent, "bugs")) report.bugs.push_back(read_bug(names, member(sent, "memory"), bug));
  report.assumptions = value<std::vector<std::string>>(sent, "assumptions");
  for (const json& warning : member(sent, "warnings")) {
    if (value<std::string>(warning, "kind") == "data-race")
      report.races.push_back(read_bug(names, member(sent, "memory"), warning));
    else
      report.warnings.push_back(BugReader(names, member(sent, "memory"), warning).read_warning(warning));
  }
  report.sequences = named_sequences(member(sent, "sequences"), names, member(sent, "memory"));
  return report;
}

}  // namespace norn
