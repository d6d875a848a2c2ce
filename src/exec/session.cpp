#include "exec/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "exec/connection.hpp"
#include "exec/crew.hpp"
#include "exec/description.hpp"
#include "exec/fatal.hpp"
#include "exec/lookout.hpp"
#include "exec/modules.hpp"
#include "exec/objects.hpp"
#include "exec/phase.hpp"
#include "exec/real.hpp"
#include "exec/sequences.hpp"
#include "exec/services.hpp"
#include "exec/snapshot.hpp"
#include "exec/watchdog.hpp"
#include "explore/accept.hpp"
#include "explore/minimise.hpp"
#include "explore/nearest.hpp"
#include "explore/replay.hpp"
#include "frontend/interpose/terminate.hpp"
#include "support/address.hpp"
#include "support/options_json.hpp"
#include "trace/thread_names.hpp"

namespace norn::exec {
namespace {

using nlohmann::json;

/// Replaces the schedule of a bug by the simplest one that can be found; says from what and how, if there was anything
/// to look for.
json minimise(Bug& bug, Engine& engine, const MinimisationBudget& budget, Lookout::Minimising state, Lookout& lookout) {
  const bool is_race = bug.outcome.end == End::data_race;
  if (is_race) engine.look_only_for({bug.race.first.site, bug.race.second.site});
  const auto shows_bug = [&](const Trace& trace) {
    ++state.runs;
    lookout.look(state);
    return is_race ? trace.raced : same_bug(*trace.outcome, bug.outcome);
  };
  Minimised best = norn::minimise(engine, bug.schedule, shows_bug, budget);
  engine.look_only_for({});
  if (!best.reproduced) return nullptr;
  if (!is_race) bug.outcome = best.outcome;
  bug.schedule = std::move(best.schedule);
  return {{"runs", best.runs},
          {"from_events", best.from_events},
          {"from_preemptions", best.from_preemptions},
          {"complete", best.complete}};
}

/// The command has the debug information: it is asked.
class LinesOfCommand final : public LineNames {
 public:
  std::vector<Location> lines_of(std::span<const std::uintptr_t> addresses) override {
    send_to_command({{"asks", std::vector(addresses.begin(), addresses.end())}, {"modules", modules()}});
    const json answer = json::parse(line_from_command(), nullptr, false);
    return answer.is_array() ? answer.get<std::vector<Location>>() : std::vector<Location>();
  }
};

struct Task {
  const Options& options;
  Engine& engine;
  const std::optional<Checkpoint>& from;  ///< what has been explored before
  std::optional<Crew::Result>& shared;    ///< what others have explored already
  Lookout& lookout;
  json result;
};

/// Looks at the exploration in this process.
class EngineWatcher final : public Watcher {
 public:
  EngineWatcher(Engine& engine, Lookout& lookout) : engine_(engine), lookout_(lookout) {
    set_tick_period(lookout_.period());
  }
  [[nodiscard]] const std::atomic<std::uint32_t>& asks() const override { return tick(); }
  void look(Explorer& explorer, std::chrono::steady_clock::time_point begin) override {
    lookout_.look(
        explorer.progress(), [&explorer] { return explorer.standing(); }, engine_.learned_facts(), begin);
    set_tick_period(lookout_.pause());
    tick() = 0;
  }

 private:
  Engine& engine_;
  Lookout& lookout_;
};

/// What looking for runs that pass may cost: for one bug, and seconds for all of them.
constexpr NearestBudget budget_for_passing{500, 2};
constexpr double seconds_for_passing = 10;

/// A run that passes and is as long as possible the same as that of a bug; null if none is found quickly. What it took
/// is taken from `seconds`.
json describe_passing(const Bug& bug, Engine& engine, const ThreadNames& names, Strategy& strategy, double& seconds) {
  const auto start = std::chrono::steady_clock::now();
  const NearestBudget budget{budget_for_passing.runs, std::min(budget_for_passing.seconds, seconds)};
  const Bug passing{{}, nearest_passing(engine, bug.schedule, budget)};
  seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return passing.schedule.empty() ? json() : describe(passing, engine, names, strategy);
}

json describe_bugs(std::vector<Bug>& bugs, const Options& options, Engine& engine, const ThreadNames& names,
                   Lookout& lookout) {
  json list = json::array();
  const auto strategy = make_exhaustive(options);
  const auto start = std::chrono::steady_clock::now();
  engine.keep_output(false);
  double seconds_left = seconds_for_passing;
  for (Bug& bug : bugs) {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    // Runs that are not kept apart are not the same again, so nothing simpler can be trusted.
    const bool repeatable = options.isolation != "none";
    const std::vector<Choice> found = bug.schedule;
    const json original = options.compare && repeatable ? describe(bug, engine, names, *strategy) : json();
    const MinimisationBudget budget = minimisation_budget(options, bugs.size() - list.size(), used.count());
    const json minimised = repeatable ? minimise(bug, engine, budget, {list.size() + 1, bugs.size()}, lookout) : json();
    list.push_back(describe(bug, engine, names, *strategy));
    if (!minimised.is_null()) list.back()["minimised"] = minimised;
    if (!options.compare || !repeatable) continue;
    if (found != bug.schedule) list.back()["original"] = original;
    list.back()["passing"] = describe_passing(bug, engine, names, *strategy, seconds_left);
  }
  return list;
}

/// What those came to who shared the work.
Exploration conclude(Explorer& explorer, const Crew::Result& shared) {
  const Standing& standing = shared.standing;
  explorer.begin(find_strategy(standing.strategy)->name);
  Findings findings = standing.findings;
  if (findings.guarantee.empty()) findings.guarantee = standing.remark;
  const std::int64_t distinct = standing.too_many ? -1 : static_cast<std::int64_t>(standing.fingerprints.size());
  Exploration found = explorer.conclude(shared.stop, std::move(findings), distinct, standing.left);
  found.seconds += standing.seconds;
  return found;
}

Exploration explore_alone(Explorer& explorer, Task& task) {
  const Standing* const from = task.from ? &task.from->standing : nullptr;
  if (!has_command()) return explorer.explore(nullptr, from);
  EngineWatcher watcher(task.engine, task.lookout);
  return explorer.explore(&watcher, from);
}

/// Ends a run when nothing more is forced: before its first event, when all threads that come first are still there.
class StopAfterPrefix final : public Strategy {
 public:
  bool next(Prefix&) override { return false; }
  std::size_t choose(const FreeChoice&) override { return give_up; }
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }
};

/// Two runs show where things are: what lies in a frame, and which call an operation belongs to.
json with_places(json described, const Task& task, const ThreadNames& names) {
  add_places(described, describe(Bug(), task.engine, names, *make_exhaustive(task.options)));
  StopAfterPrefix stop;
  add_places(described, describe(Bug(), task.engine, names, stop));
  return described;
}

/// What the strategy derived from what; null if it derives nothing. What other processes did is not known here.
json describe_sequences(const Explorer& explorer, const Task& task, const ThreadNames& names,
                        std::string_view strategy) {
  if (task.shared && (strategy == "reachability" || strategy == "t-way"))
    return {{"left_out", "several processes shared the exploration (--jobs 1 shows them)"}};
  const reachability::SequenceTree* tree = explorer.sequences();
  if (tree == nullptr) return nullptr;
  if (task.from) return {{"left_out", "the exploration went on from a checkpoint"}};
  return with_places(sequences_json(*tree, names), task, names);
}

void explore_in_driver(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  auto& [options, engine, from, shared, lookout, result] = task;
  const ThreadNames names(engine.memory().descent.all());
  engine.keep_output(options.outcomes);
  Explorer explorer(options, engine);
  Exploration found = shared ? conclude(explorer, *shared) : explore_alone(explorer, task);
  result = describe(found, options);
  const auto standing = [&] { return shared ? shared->standing : explorer.standing(); };
  result["resumable"] = lookout.look_last(standing, shared ? LearnedFacts::told_by(options) : engine.learned_facts());
  if (options.graph) result["graph"] = with_places(describe(explorer.graph(), names), task, names);
  if (options.compare) result["sequences"] = describe_sequences(explorer, task, names, found.strategy);
  result["bugs"] = describe_bugs(found.bugs, options, engine, names, lookout);
  result["warnings"] = describe_bugs(found.warnings, options, engine, names, lookout);
  StopAfterPrefix stop;
  for (const analysis::LockCycle& cycle : found.cycles)
    result["warnings"].push_back(describe(cycle, found.attempts, engine, names, stop));
  const LearnedFacts facts = engine.learned_facts();
  result["releases_visible"] = facts.releases_visible;
  result["readers_ordered"] = facts.readers_ordered;
  result["barriers_ordered"] = facts.barriers_ordered;
  result["sends_visible"] = facts.sends_visible;
  result["locks_one_by_one"] = facts.locks_one_by_one;
  result["visible"] = facts.visible;
  result["loops"] = facts.loops;
  result["memory"] = memory_ranges(engine, names);
  result["hot_pages"] = engine.snapshot().hot_pages();
}

/// The run that exercises a sequence, as if it were a bug: with all details.
json describe_run(const Trace& trace, Engine& engine, const ThreadNames& names, const Options& options) {
  Bug run{*trace.outcome, {}};
  for (const Event& event : trace.events) run.schedule.push_back({event.thread, event.alternative});
  return describe(run, engine, names, *make_exhaustive(options));
}

/// Just any run, in which those see their names who are spoken of.
json describe_some_run(Engine& engine, const ThreadNames& names, const Options& options) {
  const auto strategy = make_exhaustive(options);
  const Trace* trace = &engine.run({}, *strategy);
  while (engine.must_restart()) trace = &engine.run({}, *strategy);
  return describe_run(*trace, engine, names, options);
}

void accept_in_driver(void* argument) {
  auto& [options, engine, from, shared, lookout, result] = *static_cast<Task*>(argument);
  const ThreadNames names(engine.memory().descent.all());
  Accept accept(options.sequence, names);
  Prefix prefix;
  json run = describe_some_run(engine, names, options);
  bool is_over = false;
  for (std::uint64_t runs = 0; !is_over && !stop_requested; ++runs) {
    if (options.max_executions != 0 && runs >= options.max_executions) break;
    is_over = !accept.next(prefix);
    if (is_over) break;
    const Trace& trace = engine.run(prefix, accept);
    if (engine.must_restart()) {
      accept.begin_anew();
      continue;
    }
    accept.learn(trace);
    is_over = accept.is_accepted();
    if (is_over) run = describe_run(trace, engine, names, options);
  }
  Exploration nothing;
  result = describe(nothing, options);
  result["bugs"] = json::array({run});
  result["warnings"] = json::array();
  result["accepted"] = accept.is_accepted();
  result["decided"] = is_over;
  result["reached"] = accept.reached();
  result["sequence_events"] = accept.size();
  result["instead"] = accept.instead();
  result["expected"] = accept.expected();
  result["memory"] = memory_ranges(engine, names);
}

/// The run that was replayed, once more with all details: how it ended, and each of its races.
json describe_again(const Trace& trace, Engine& engine, const ThreadNames& names, const Options& options) {
  const auto strategy = make_exhaustive(options);
  std::vector<Bug> bugs = {{*trace.outcome, {}}};
  for (const Event& event : trace.events) bugs[0].schedule.push_back({event.thread, event.alternative});
  if (trace.raced) {
    for (const analysis::Race& race : engine.find_races(bugs[0].schedule, *strategy)) {
      bugs.push_back({{}, bugs[0].schedule, 1, race});
      bugs.back().outcome.end = End::data_race;
      bugs.back().outcome.thread = race.second.thread;
      bugs.back().outcome.site = race.second.site;
    }
  }
  json list = json::array();
  for (const Bug& bug : bugs) list.push_back(describe(bug, engine, names, *strategy));
  double seconds = seconds_for_passing;
  const json passing = describe_passing(bugs[0], engine, names, *strategy, seconds);
  for (json& bug : list) bug["passing"] = passing;
  return list;
}

void replay_in_driver(void* argument) {
  auto& [options, engine, from, shared, lookout, result] = *static_cast<Task*>(argument);
  const ThreadNames names(engine.memory().descent.all());
  if (!options.details) engine.let_output_through();
  Replay replay(options.replay, names);
  const Trace& trace = engine.run({}, replay);
  result["divergence"] = replay.divergence(trace);
  result["norn"] = NORN_VERSION;
  result["kind"] = kind(trace.end());
  result["raced"] = trace.raced;
  result["message"] = trace.outcome->message;
  result["thread"] = trace.outcome->thread == no_thread ? "main" : names.name(trace.outcome->thread);
  result["site"] = number(trace.outcome->site);
  result["events"] = trace.events.size();
  if (!options.details || !result["divergence"].get<std::string>().empty()) return;
  result["bugs"] = describe_again(trace, engine, names, options);
  result["memory"] = memory_ranges(engine, names);
}

}  // namespace

namespace {

/// Threads that are there already would be in the middle of what runs do.
json explore_nothing(const Options& options) {
  constexpr const char* reason = "threads were started before main(), where Norn does not control them";
  if (options.replays || !options.sequence.empty()) fatal(reason);
  Exploration found;
  found.strategy = options.strategy;
  found.reasons.emplace_back(reason);
  json result = describe(found, options);
  for (const char* list : {"bugs", "warnings", "visible", "loops", "memory"}) result[list] = json::array();
  for (const char* fact :
       {"resumable", "releases_visible", "readers_ordered", "barriers_ordered", "sends_visible", "locks_one_by_one"})
    result[fact] = false;
  result["hot_pages"] = 0;
  result["modules"] = modules();
  result["peak_memory_bytes"] = peak_memory();
  return result;
}

}  // namespace

json explore(const Options& asked, Body body, std::span<std::byte> stack) {
  PhaseScope scope(Phase::norn);
  if (is_beside_early_threads()) return explore_nothing(asked);
  owner_before = NORN_REAL(gettid)();
  frontend::install_terminate_handler();
  json result;
  Options options = asked;
  const Descent descent = Descent::map(options.max_threads);
  // Mapped in any case, so that whatever is mapped after it has the same address however many share the work.
  const auto requests = map_shared<std::atomic<std::uint32_t>>(most_jobs);
  std::optional<Checkpoint> from;
  if (options.resume != 0) {
    from = read_checkpoint(options.resume, descent);
    from->facts.tell(options);
  }
  Lookout lookout(options, descent);
  std::optional<Crew::Result> shared;
  if (options.jobs > 1 && !options.replays)
    shared = Crew(options, body, stack, descent, requests, lookout).explore(from ? &from->standing : nullptr);
  {
    Engine engine(options, body, stack, descent);
    LinesOfCommand lines;
    if (has_command()) engine.set_line_names(&lines);
    Task task{options, engine, from, shared, lookout, {}};
    const bool accepts = !options.sequence.empty();
    engine.drive(options.replays ? replay_in_driver : accepts ? accept_in_driver : explore_in_driver, &task);
    result = std::move(task.result);
  }
  descent.unmap();
  unmap_shared(requests);
  frontend::remove_terminate_handler();
  result["modules"] = modules();
  result["peak_memory_bytes"] = peak_memory() + (shared ? shared->peak_memory : 0);
  return result;
}

namespace {

void on_stop(int) { stop_requested = true; }

/// The command says when to stop. At a terminal, Ctrl-C reaches all processes, but it is the command that counts.
void handle_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_stop;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  NORN_REAL(sigaction)(SIGTERM, &action, nullptr);
  for (const int ignored : {SIGINT, SIGHUP}) NORN_REAL(signal)(ignored, SIG_IGN);
}

}  // namespace

void run_session(int connection, Body body) {
  phase = Phase::norn;
  handle_interrupts();
  connect_to_command(connection);
  const json request = json::parse(line_from_command(), nullptr, false);
  if (request.is_discarded()) fatal("the options sent by the norn command cannot be read");
  unsetenv("NORN_SESSION");
  send_to_command(explore(request.get<Options>(), body, first_frames()));
  NORN_REAL(_exit)(0);
  __builtin_unreachable();
}

}  // namespace norn::exec
