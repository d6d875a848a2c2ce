#include "exec/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "exec/connection.hpp"
#include "exec/crew.hpp"
#include "exec/fatal.hpp"
#include "exec/lookout.hpp"
#include "exec/modules.hpp"
#include "exec/phase.hpp"
#include "exec/real.hpp"
#include "exec/sequences.hpp"
#include "exec/services.hpp"
#include "exec/stack_frames.hpp"
#include "exec/watchdog.hpp"
#include "explore/accept.hpp"
#include "explore/minimise.hpp"
#include "explore/nearest.hpp"
#include "explore/preemption.hpp"
#include "explore/reachability/reductions.hpp"
#include "explore/replay.hpp"
#include "frontend/interpose/terminate.hpp"
#include "support/address.hpp"
#include "support/options_json.hpp"
#include "trace/alternative.hpp"
#include "trace/thread_names.hpp"

namespace norn::exec {
namespace {

using nlohmann::json;

/// What lies where, of the memory that has no names: stacks and heaps of threads.
json memory_ranges(Engine& engine, const ThreadNames& names) {
  json ranges = json::array();
  for (const Thread& thread : engine.threads()) {
    const std::string owner = names.name(thread.id);
    const std::uintptr_t heap = Arena::region_begin + thread.id * Arena::region_size;
    ranges.push_back({{"what", "stack of " + owner},
                      {"begin", number(thread.seat.stack_limit)},
                      {"end", number(thread.seat.stack_top)}});
    ranges.push_back({{"what", "heap of " + owner}, {"begin", heap}, {"end", heap + Arena::region_size}});
  }
  return ranges;
}

json describe(const CallStack& stack) {
  json frames = json::array();
  for (const void* frame : stack.frames) {
    if (frame == nullptr) break;
    frames.push_back(number(frame));
  }
  return frames;
}

/// A block is freed; what is on the stack of a thread that ends, or of main when that returns, is not.
const char* action(const analysis::AccessRecord& record) {
  static constexpr const char* actions[] = {"reads", "writes", "atomically reads", "atomically writes", "frees"};
  const auto [begin, end] = scheduler->thread(record.thread).own_memory();
  const bool leaves = record.access == analysis::Access::free && record.address >= begin && record.address < end;
  return leaves ? "leaves" : actions[static_cast<unsigned>(record.access)];
}

json describe(const WatchedAccess& access, const ThreadNames& names, std::span<const CallStack> stacks) {
  json locks = json::array();
  for (const HeldLock& lock : std::span(access.locks, access.lock_count))
    locks.push_back(
        {{"object", number(lock.object)}, {"site", number(lock.site)}, {"stack", describe(stacks[lock.step])}});
  const analysis::AccessRecord& record = access.access;
  return {{"thread", names.name(record.thread)},
          {"action", action(record)},
          {"address", record.address},
          {"size", record.size},
          {"step", record.step},
          {"links", record.links},
          {"site", number(record.site)},
          {"stack", describe(access.stack)},
          {"locks", locks}};
}

json describe(const BlockMoment& moment, const ThreadNames& names) {
  if (moment.thread == no_thread) return nullptr;
  return {{"thread", names.name(moment.thread)},
          {"step", moment.step},
          {"links", moment.links},
          {"site", number(moment.site)},
          {"stack", describe(moment.stack)}};
}

/// Replaces the schedule of a bug by the simplest one that can be found; says from what and how, if there was anything
/// to look for.
json minimise(Bug& bug, Engine& engine, const MinimisationBudget& budget) {
  const bool is_race = bug.outcome.end == End::data_race;
  if (is_race) engine.look_only_for({bug.race.first.site, bug.race.second.site});
  const auto shows_bug = [&](const Trace& trace) {
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

/// What threads did to each other besides the events.
json describe(std::span<const Link> links, const ThreadNames& names, std::span<const CallStack> starts) {
  json list = json::array();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const char* const what = name(link.kind);
    if (what == nullptr) continue;
    list.push_back({{"kind", what},
                    {"step", link.step},
                    {"links", i},
                    {"thread", names.name(link.thread)},
                    {"other", link.other == no_thread ? "" : names.name(link.other)},
                    {"object", number(link.object)},
                    {"stack", link.kind == LinkKind::created ? describe(starts[link.other]) : nullptr}});
  }
  return list;
}

/// What threads call themselves, if that is not just what the process is called.
json own_names(const Trace& trace, Engine& engine, const ThreadNames& names) {
  std::vector<ThreadId> threads = {main_thread};
  for (const Link& link : trace.links)
    if (link.kind == LinkKind::created) threads.push_back(link.other);
  json list = json::object();
  for (const ThreadId thread : threads) {
    const ThreadName& own = engine.memory().own_names[thread];
    if (own != engine.process_name()) list[names.name(thread)] = own.data();
  }
  return list;
}

/// Gives the failing run once more, with all details, and describes it.
json describe(const Bug& bug, Engine& engine, const ThreadNames& names, Strategy& strategy) {
  const Trace& trace = engine.run_detailed(bug.schedule, strategy, {bug.race.first.site, bug.race.second.site});
  const RunMemory& memory = engine.memory();
  const RunRecord& record = *memory.record;
  json result;
  const bool is_race = bug.outcome.end == End::data_race;
  const bool reproduced = is_race ? record.access_count == 2 : trace.end() == bug.outcome.end;
  result["reproduced"] = reproduced;
  const Outcome& outcome = reproduced && !is_race ? *trace.outcome : bug.outcome;
  result["kind"] = kind(outcome.end);
  result["message"] = outcome.message;
  result["thread"] = outcome.thread == no_thread ? "main" : names.name(outcome.thread);
  result["site"] = number(outcome.site);
  result["count"] = bug.count;
  result["stack"] = describe(record.failure_stack);
  result["output"] = engine.last_output();
  result["preemptions"] = preemptions(trace);
  json& events = result["events"] = json::array();
  StackFrames frames;
  ThreadId last = no_thread;
  auto choices = trace.choices;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    events.push_back({{"thread", names.name(event.thread)},
                      {"operation", name(event.op)},
                      {"alternative", alternative_text(event.op, event.alternative, names)},
                      {"object", number(event.object)},
                      {"value", event.value},
                      {"reads", event.effect == Effect::read},
                      {"preempts", is_preemption(last, event.thread, choices.first(event.enabled))},
                      {"site", number(event.site)},
                      {"stack", describe(memory.stacks[i])}});
    frames.add(event.thread, memory.stacks[i]);
    last = event.thread;
    choices = choices.subspan(event.enabled);
  }
  result["links"] = describe(trace.links, names, memory.starts);
  for (const Link& link : trace.links)
    if (link.kind == LinkKind::created) frames.add(link.thread, memory.starts[link.other]);
  result["own_names"] = own_names(trace, engine, names);
  json& accesses = result["accesses"] = json::array();
  for (const WatchedAccess& access : std::span(record.accesses, record.access_count))
    accesses.push_back(describe(access, names, memory.stacks));
  for (const WatchedAccess& access : std::span(record.accesses, record.access_count))
    frames.add(access.access.thread, access.stack);
  if (record.block.begin != nullptr)
    result["block"] = {{"begin", number(record.block.begin)},
                       {"size", record.block.size},
                       {"allocated", describe(record.block.allocated, names)},
                       {"freed", describe(record.block.freed, names)}};
  json& held = result["held"] = json::array();
  for (const auto& [thread, lock] : std::span(record.held, record.held_count))
    held.push_back({{"thread", names.name(thread)},
                    {"object", number(lock.object)},
                    {"operation", name(lock.op)},
                    {"step", lock.step},
                    {"site", number(lock.site)},
                    {"stack", describe(memory.stacks[lock.step])}});
  json& blocked = result["blocked"] = json::array();
  for (const Blocked& entry : std::span(record.blocked, record.blocked_count))
    blocked.push_back({{"thread", names.name(entry.thread)},
                       {"operation", name(entry.op)},
                       {"object", number(entry.object)},
                       {"site", number(entry.site)},
                       {"stack", describe(entry.stack)},
                       {"holder", entry.holder == no_thread ? "" : names.name(entry.holder)}});
  if (record.blocked_count == 0 && !is_race) frames.add(outcome.thread, record.failure_stack);
  for (const Thread& thread : engine.threads())
    if (thread.status == Status::pending) frames.add(thread.id, thread.pending_stack);
  json& active = result["frames"] = json::array();
  for (const StackFrame& frame : frames.found())
    active.push_back({{"thread", names.name(frame.thread)},
                      {"code", number(frame.code)},
                      {"begin", number(frame.begin)},
                      {"end", number(frame.end)}});
  return result;
}

json describe(const analysis::LockCycle& cycle, const ThreadNames& names) {
  json edges = json::array();
  for (const analysis::LockEdge& edge : cycle)
    edges.push_back({{"thread", names.name(edge.thread)},
                     {"holds", number(edge.holds)},
                     {"wants", number(edge.takes)},
                     {"holds_site", number(edge.holds_site)},
                     {"wants_site", number(edge.takes_site)}});
  return {{"kind", "lock-order"}, {"message", "threads take these locks in different orders"}, {"cycle", edges}};
}

json describe(const Exploration& found, const Options& options) {
  json outcomes = json::array();
  for (const auto& [ending, runs] : found.outcomes)
    outcomes.push_back({{"status", ending.first}, {"output", ending.second}, {"count", runs}});
  json assumptions = json::array();
  if (options.races == "ignore" && options.plain != "visible")
    assumptions.push_back("no data races: they were not looked for (--races ignore)");
  if (options.memory == "ignore") assumptions.push_back("no memory errors: they were not looked for (--memory ignore)");
  if (options.strategy == "reachability" || options.strategy == "t-way" || options.strategy == "auto")
    for (const std::string& assumption : reachability::assumptions_of_reductions(options.reduce))
      assumptions.push_back(assumption);
  json operations = json::array();
  for (unsigned i = 0; i < static_cast<unsigned>(Op::count_); ++i)
    if ((found.operations >> i & 1) != 0) operations.push_back(name(static_cast<Op>(i)));
  json estimate;
  if (found.estimate)
    estimate = {{"explored", found.estimate->explored},
                {"executions", found.estimate->executions},
                {"low", found.estimate->low},
                {"high", found.estimate->high}};
  return {{"norn", NORN_VERSION},
          {"strategy", options.strategy},
          {"options", options},
          {"complete", found.complete},
          {"estimate", estimate},
          {"reasons", found.reasons},
          {"assumptions", assumptions},
          {"guarantee", found.guarantee},
          {"executions", found.executions},
          {"distinct", found.distinct},
          {"partial_runs", found.partial_runs},
          {"deadlocks", found.deadlocks},
          {"events", found.events},
          {"threads_max", found.threads_max},
          {"operations", operations},
          {"seconds", found.seconds},
          {"runs", found.runs},
          {"behaviours", found.behaviours},
          {"coverage", found.coverage.empty() ? json::object() : json::parse(found.coverage)},
          {"outcomes", outcomes}};
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

json describe_bugs(std::vector<Bug>& bugs, const Options& options, Engine& engine, const ThreadNames& names) {
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
    const json minimised =
        !repeatable ? json()
                    : minimise(bug, engine, minimisation_budget(options, bugs.size() - list.size(), used.count()));
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

json describe(const BehaviourGraph& graph, const ThreadNames& names) {
  json nodes = json::array();
  for (const BehaviourGraph::Node& node : graph.nodes()) {
    nodes.push_back({{"thread", names.name(node.thread)},
                     {"operation", name(node.op)},
                     {"alternative", alternative_text(node.op, node.alternative, names)},
                     {"object", number(node.object)},
                     {"site", number(node.site)},
                     {"executions", node.runs}});
    if (node.in_thread != BehaviourGraph::none) nodes.back()["in_thread"] = node.in_thread;
    if (node.on_object != BehaviourGraph::none) nodes.back()["on_object"] = node.on_object;
  }
  return {{"nodes", nodes}, {"cut", graph.is_cut()}};
}

/// Ends a run before its first event, when all threads that come first are still there.
class StopAtFirstEvent final : public Strategy {
 public:
  bool next(Prefix&) override { return false; }
  std::size_t choose(const FreeChoice&) override { return give_up; }
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }
};

/// What the strategy derived from what; null if it derives nothing. What other processes did is not known here.
json describe_sequences(const Explorer& explorer, const Task& task, const ThreadNames& names) {
  const std::string_view shared = task.shared ? std::string_view(task.shared->standing.strategy) : "";
  if (shared == "reachability" || shared == "t-way")
    return {{"left_out", "several processes shared the exploration (--jobs 1 shows them)"}};
  const reachability::SequenceTree* tree = explorer.sequences();
  if (tree == nullptr) return nullptr;
  if (task.from) return {{"left_out", "the exploration went on from a checkpoint"}};
  json described = sequences_json(*tree, names);
  add_places(described, describe(Bug(), task.engine, names, *make_exhaustive(task.options)));
  StopAtFirstEvent stop;
  add_places(described, describe(Bug(), task.engine, names, stop));
  return described;
}

void explore_in_driver(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  auto& [options, engine, from, shared, lookout, result] = task;
  const ThreadNames names(engine.memory().descent.all());
  engine.keep_output(options.outcomes);
  Explorer explorer(options, engine);
  Exploration found = shared ? conclude(explorer, *shared) : explore_alone(explorer, task);
  result = describe(found, options);
  result["resumable"] = shared ? lookout.look_last(shared->standing, LearnedFacts::told_by(options))
                               : lookout.look_last(explorer.standing(), engine.learned_facts());
  if (options.graph) result["graph"] = describe(explorer.graph(), names);
  if (options.compare) result["sequences"] = describe_sequences(explorer, task, names);
  result["bugs"] = describe_bugs(found.bugs, options, engine, names);
  result["warnings"] = describe_bugs(found.warnings, options, engine, names);
  for (const analysis::LockCycle& cycle : found.cycles) result["warnings"].push_back(describe(cycle, names));
  const LearnedFacts facts = engine.learned_facts();
  result["releases_visible"] = facts.releases_visible;
  result["barriers_ordered"] = facts.barriers_ordered;
  result["sends_visible"] = facts.sends_visible;
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

void accept_in_driver(void* argument) {
  auto& [options, engine, from, shared, lookout, result] = *static_cast<Task*>(argument);
  const ThreadNames names(engine.memory().descent.all());
  Accept accept(options.sequence, names);
  Prefix prefix;
  json run;
  std::uint64_t runs = 0;
  while (runs < options.max_executions && accept.next(prefix)) {
    const Trace& trace = engine.run(prefix, accept);
    ++runs;
    if (engine.must_restart()) {
      accept.begin_anew();
      continue;
    }
    accept.learn(trace);
    if (accept.is_accepted()) run = describe_run(trace, engine, names, options);
  }
  Exploration nothing;
  result = describe(nothing, options);
  result["bugs"] = result["warnings"] = json::array();
  if (accept.is_accepted()) result["bugs"].push_back(run);
  result["accepted"] = accept.is_accepted();
  result["decided"] = accept.is_accepted() || !accept.next(prefix);
  result["reached"] = accept.reached();
  result["sequence_events"] = std::count(options.sequence.begin(), options.sequence.end(), '\n');
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

json explore(const Options& asked, Body body, std::span<std::byte> stack) {
  PhaseScope scope(Phase::norn);
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
  send_to_command(explore(request.get<Options>(), body, {}));
  NORN_REAL(_exit)(0);
  __builtin_unreachable();
}

}  // namespace norn::exec
