#include "exec/description.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exec/modules.hpp"
#include "exec/stack_frames.hpp"
#include "explore/preemption.hpp"
#include "explore/reachability/reductions.hpp"
#include "support/address.hpp"
#include "support/options_json.hpp"
#include "trace/alternative.hpp"

namespace norn::exec {
namespace {

using nlohmann::json;

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

/// What threads did to each other besides the events.
json describe(std::span<const Link> links, const ThreadNames& names, std::span<const CallStack> stacks) {
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
                    {"stack", i < stacks.size() ? describe(stacks[i]) : nullptr}});
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

/// Of updates, what was there before is worth knowing.
json value_of(const Event& event) {
  if (event.is_opaque) return nullptr;
  const bool is_update = event.op == Op::atomic_update || event.op == Op::atomic_compare_exchange;
  return is_update ? event.before : event.value;
}

json events_of(const Trace& trace, std::span<const CallStack> stacks, const ThreadNames& names) {
  json events = json::array();
  ThreadId last = no_thread;
  auto choices = trace.choices;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    events.push_back({{"thread", names.name(event.thread)},
                      {"operation", name(event.op)},
                      {"alternative", alternative_text(event.op, event.alternative, names)},
                      {"object", number(event.object)},
                      {"value", value_of(event)},
                      {"reads", event.effect == Effect::read},
                      {"preempts", is_preemption(last, event.thread, choices.first(event.enabled))},
                      {"site", number(event.site)},
                      {"stack", describe(stacks[i])}});
    last = event.thread;
    choices = choices.subspan(event.enabled);
  }
  return events;
}

json accesses_of(const RunRecord& record, std::span<const CallStack> stacks, const ThreadNames& names) {
  json accesses = json::array();
  for (const WatchedAccess& access : std::span(record.accesses, record.access_count))
    accesses.push_back(describe(access, names, stacks));
  return accesses;
}

json held_in(const RunRecord& record, std::span<const CallStack> stacks, const ThreadNames& names) {
  json held = json::array();
  for (const auto& [thread, lock] : std::span(record.held, record.held_count))
    held.push_back({{"thread", names.name(thread)},
                    {"object", number(lock.object)},
                    {"operation", name(lock.op)},
                    {"step", lock.step},
                    {"site", number(lock.site)},
                    {"stack", describe(stacks[lock.step])}});
  return held;
}

json blocked_in(const RunRecord& record, const ThreadNames& names) {
  json blocked = json::array();
  for (const Blocked& entry : std::span(record.blocked, record.blocked_count))
    blocked.push_back({{"thread", names.name(entry.thread)},
                       {"operation", name(entry.op)},
                       {"object", number(entry.object)},
                       {"site", number(entry.site)},
                       {"stack", describe(entry.stack)},
                       {"holder", entry.holder == no_thread ? "" : names.name(entry.holder)}});
  return blocked;
}

/// The calls that were active at any of the moments that are described. `failed`: whose stack the failure has, if any.
json frames_of(const Trace& trace, Engine& engine, const ThreadNames& names, ThreadId failed) {
  const RunMemory& memory = engine.memory();
  const RunRecord& record = *memory.record;
  StackFrames frames;
  for (std::size_t i = 0; i < trace.events.size(); ++i) frames.add(trace.events[i].thread, memory.stacks[i]);
  for (std::size_t i = 0; i < std::min(trace.links.size(), memory.link_stacks.size()); ++i)
    if (trace.links[i].kind == LinkKind::created) frames.add(trace.links[i].thread, memory.link_stacks[i]);
  for (const WatchedAccess& access : std::span(record.accesses, record.access_count))
    frames.add(access.access.thread, access.stack);
  if (failed != no_thread) frames.add(failed, record.failure_stack);
  for (const Thread& thread : engine.threads())
    if (thread.status == Status::pending) frames.add(thread.id, thread.pending_stack);
  json active = json::array();
  for (const StackFrame& frame : frames.found())
    active.push_back({{"thread", names.name(frame.thread)},
                      {"code", number(frame.code)},
                      {"begin", number(frame.begin)},
                      {"end", number(frame.end)}});
  return active;
}

}  // namespace

json memory_ranges(Engine& engine, const ThreadNames& names) {
  json ranges = json::array();
  const std::size_t locals = size_of_thread_locals();
  for (const Thread& thread : engine.known_threads()) {
    const std::string owner = names.name(thread.id);
    const std::uintptr_t heap = Arena::region_begin + thread.id * Arena::region_size;
    ranges.push_back({{"what", "stack of " + owner},
                      {"begin", number(thread.seat.stack_limit)},
                      {"end", number(thread.seat.stack_top)}});
    ranges.push_back({{"what", "heap of " + owner}, {"begin", heap}, {"end", heap + Arena::region_size}});
    ranges.push_back({{"what", "thread-local storage of " + owner},
                      {"begin", thread.seat.tcb - locals},
                      {"end", thread.seat.tcb},
                      {"thread", owner}});
  }
  return ranges;
}

json describe(const Bug& bug, Engine& engine, const ThreadNames& names, Strategy& strategy) {
  const Trace& trace = engine.run_detailed(bug.schedule, strategy, {bug.race.first.site, bug.race.second.site});
  const RunMemory& memory = engine.memory();
  const RunRecord& record = *memory.record;
  const bool is_race = bug.outcome.end == End::data_race;
  const bool reproduced = is_race ? record.access_count == 2 : trace.end() == bug.outcome.end;
  const Outcome& outcome = reproduced && !is_race ? *trace.outcome : bug.outcome;
  json result;
  result["reproduced"] = reproduced;
  result["kind"] = kind(outcome.end);
  result["message"] = outcome.message;
  result["object"] = number(outcome.object);
  result["thread"] = outcome.thread == no_thread ? "main" : names.name(outcome.thread);
  result["site"] = number(outcome.site);
  result["count"] = bug.count;
  result["stack"] = describe(record.failure_stack);
  result["output"] = engine.last_output();
  result["preemptions"] = preemptions(trace);
  result["events"] = events_of(trace, memory.stacks, names);
  result["links"] = describe(trace.links, names, memory.link_stacks);
  result["own_names"] = own_names(trace, engine, names);
  result["accesses"] = accesses_of(record, memory.stacks, names);
  if (record.block.begin != nullptr)
    result["block"] = {{"begin", number(record.block.begin)},
                       {"size", record.block.size},
                       {"allocated", describe(record.block.allocated, names)},
                       {"freed", describe(record.block.freed, names)}};
  result["held"] = held_in(record, memory.stacks, names);
  // A run with a race goes on, and who cannot go on at its end has nothing to do with that.
  if (!is_race) result["blocked"] = blocked_in(record, names);
  const bool has_failed = record.blocked_count == 0 && !is_race;
  result["frames"] = frames_of(trace, engine, names, has_failed ? outcome.thread : no_thread);
  return result;
}

/// Where a thread took both locks, as the run shows that showed it first.
json describe(const analysis::KnownEdge& edge, Engine& engine, const ThreadNames& names, Strategy& strategy,
              json& frames) {
  json described = {{"thread", names.name(edge.thread)},
                    {"holds", number(edge.holds)},
                    {"wants", number(edge.takes)},
                    {"holds_site", number(edge.holds_site)},
                    {"wants_site", number(edge.takes_site)}};
  if (edge.schedule.empty()) return described;
  const Trace& trace = engine.run_detailed(edge.schedule, strategy, {});
  if (trace.events.size() <= edge.takes_step || trace.events[edge.takes_step].thread != edge.thread) return described;
  described["holds_stack"] = describe(engine.memory().stacks[edge.holds_step]);
  described["wants_stack"] = describe(engine.memory().stacks[edge.takes_step]);
  for (const json& frame : frames_of(trace, engine, names, no_thread)) frames.push_back(frame);
  return described;
}

json describe(const analysis::LockCycle& cycle, unsigned attempts, Engine& engine, const ThreadNames& names,
              Strategy& strategy) {
  json edges = json::array();
  json frames = json::array();
  for (const analysis::KnownEdge& edge : cycle) edges.push_back(describe(edge, engine, names, strategy, frames));
  return {{"kind", "lock-order"},
          {"message", "threads take these locks in different orders"},
          {"attempts", attempts},
          {"cycle", edges},
          {"frames", frames}};
}

json describe(const RaceTables& tables) {
  if (tables.count == 0) return json::object();
  const auto count = static_cast<double>(tables.count);
  return {{"count", tables.count},
          {"columns",
           {{"most", tables.most_columns},
            {"least", tables.least_columns},
            {"average", static_cast<double>(tables.columns) / count}}},
          {"races", {{"most", tables.most_races}, {"least", tables.least_races}, {"average", tables.races / count}}}};
}

json describe(const Exploration& found, const Options& options) {
  json outcomes = json::array();
  for (const auto& [ending, runs] : found.outcomes)
    outcomes.push_back({{"status", ending.first}, {"output", ending.second}, {"count", runs}});
  json assumptions = json::array();
  if (options.races == "ignore" && options.plain != "visible")
    assumptions.push_back("no data races: they were not looked for (--races ignore)");
  if (options.races == "report" && options.plain != "visible" && !found.warnings.empty())
    assumptions.push_back(
        "no behaviours that only come of its data races: plain accesses are not tried in all orders (--plain visible)");
  if (options.memory == "ignore") assumptions.push_back("no memory errors: they were not looked for (--memory ignore)");
  if (found.strategy == "reachability" || found.strategy == "t-way")
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
          {"strategy_used", found.strategy},
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
          {"race_tables", describe(found.race_tables)},
          {"outcomes", outcomes}};
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

}  // namespace norn::exec
