#include "explore/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explore/steer.hpp"

namespace norn {

volatile bool stop_requested = false;

namespace {

/// What a strategy that samples is given when the user sets no budget.
constexpr std::uint64_t default_samples = 10'000;

std::string describe_cut(End end, std::uint64_t runs, const Options& options) {
  const std::string those = runs == 1 ? "1 run was" : fmt::format("{} runs were", runs);
  switch (end) {
    case End::step_limit: return fmt::format("{} cut after {} steps: raise --max-steps", those, options.max_steps);
    case End::thread_limit:
      return fmt::format("{} cut because of more than {} threads: raise --max-threads", those, options.max_threads);
    case End::memory_limit:
      return fmt::format("{} cut because a thread used more than {} bytes of heap: raise --max-memory", those,
                         options.max_memory);
    case End::hang:
      return fmt::format("{} cut because nothing visible happened for {} seconds: raise --max-run-seconds", those,
                         options.max_run_seconds);
    case End::diverged:
      return fmt::format("{} cut because the program did not do the same again: it depends on something uncontrolled",
                         those);
    default: return fmt::format("{} cut at something that is not under control", those);
  }
}

const char* status(End end) { return end == End::finished ? "ok" : kind(end); }

Prefix schedule_of(const Trace& trace) {
  Prefix schedule;
  for (const Event& event : trace.events) schedule.push_back({event.thread, event.alternative});
  return schedule;
}

}  // namespace

bool same_bug(const Outcome& one, const Outcome& other) {
  return one.end == other.end && one.site == other.site && std::string_view(one.message) == other.message;
}

Explorer::Explorer(const Options& options, Runner& runner) : options_(options), runner_(runner) {}

Exploration Explorer::explore() {
  start_ = std::chrono::steady_clock::now();
  begin(options_.strategy == "auto" ? "dpor" : std::string_view(options_.strategy));
  Prefix prefix;
  bool exhausted = true;
  while (strategy_->next(prefix)) {
    const Trace& trace = runner_.run(prefix, *strategy_);
    const bool beyond = strategy_->is_beyond_bound(trace);
    const auto reason = strategy_->why_unsuitable(trace);
    const bool failed = is_bug(trace.end()) && !beyond;
    const bool ends_here = failed && !options_.keep_going;
    // The schedule of a bug that is kept is one of the operations that were visible until now.
    // Of a livelock it is not known whether it is one as long as not all that threads look at is visible.
    const bool seems_stuck = trace.end() == End::livelock;
    const bool keeps_bug = failed && !seems_stuck && !(options_.keep_going && strategy_->exhausts());
    if (!keeps_bug && runner_.must_restart() && (strategy_->exhausts() || seems_stuck)) {
      if (strategy_->exhausts()) begin(strategy_name_);
      continue;
    }
    if (!ends_here && !reason.empty()) {
      if (is_automatic()) {
        begin("exhaustive");
        continue;
      }
      unsuitable_ = reason;
    }
    strategy_->learn(trace);
    const bool only_repeats = beyond || (strategy_->repeats() && !ends_here && !is_cut(trace.end()));
    if (only_repeats) ++result_.partial_runs;
    if ((!only_repeats && !learn(trace)) || budget_spent()) {
      exhausted = false;
      break;
    }
  }
  // What an exploration that saw everything did not see cannot happen.
  if (!exhausted || !strategy_->exhausts() || strategy_->leaves_out()) confirm_cycles();
  conclude(exhausted);
  return std::move(result_);
}

void Explorer::begin(std::string_view strategy) {
  strategy_name_ = strategy;
  strategy_ = find_strategy(strategy)->create(options_);
  unsuitable_ = {};
  fingerprints_ = {};
  cuts_.clear();
  result_ = {};
  const bool unlimited = options_.max_executions == 0 && options_.max_seconds == 0;
  max_executions_ = unlimited && !strategy_->exhausts() ? default_samples : options_.max_executions;
}

/// False when exploration ends with this run. The trace is gone afterwards.
bool Explorer::learn(const Trace& trace) {
  const bool is_new = count(trace);
  const bool failed = is_bug(trace.end());
  const bool look_for_races = trace.raced && is_new && options_.races != "ignore";
  Prefix schedule;
  if (failed || look_for_races) schedule = schedule_of(trace);
  if (failed) keep(result_.bugs, {*trace.outcome, schedule});
  if (look_for_races) keep_races(schedule);
  return result_.bugs.empty() || options_.keep_going;
}

/// Whether this behaviour is new.
bool Explorer::count(const Trace& trace) {
  if (trace.end() == End::repeats) {
    ++result_.partial_runs;
    return true;
  }
  ++result_.executions;
  result_.events += trace.events.size();
  result_.threads_max = std::max(result_.threads_max, trace.threads);
  result_.deadlocks += trace.end() == End::deadlock;
  if (is_cut(trace.end())) ++cuts_[trace.end()];
  if (options_.outcomes && trace.end() != End::pruned) ++result_.outcomes[{status(trace.end()), runner_.last_output()}];
  if (options_.list_runs) list(trace);
  if (options_.list_behaviours) list_behaviour(trace);
  return fingerprints_.add(trace);
}

void Explorer::list(const Trace& trace) {
  std::string line = status(trace.end());
  for (const Event& event : trace.events) {
    line += fmt::format(" {}:{}", event.thread, name(event.op));
    if (event.alternative != 0) line += fmt::format("({})", event.alternative);
  }
  result_.runs.push_back(std::move(line));
}

void Explorer::list_behaviour(const Trace& trace) {
  std::string line = fmt::format("{} {:016x}", status(trace.end()), fingerprints_.of(trace));
  if (const auto known = strategy_->preemptions()) line += fmt::format(" {}", *known);
  result_.behaviours.push_back(std::move(line));
}

bool Bug::is_same(const Bug& other) const {
  if (outcome.end != other.outcome.end) return false;
  if (outcome.end == End::data_race)
    return std::minmax(race.first.site, race.second.site) == std::minmax(other.race.first.site, other.race.second.site);
  return same_bug(outcome, other.outcome);
}

void Explorer::keep(std::vector<Bug>& bugs, Bug bug) {
  const auto known = std::find_if(bugs.begin(), bugs.end(), [&bug](const Bug& other) { return other.is_same(bug); });
  if (known == bugs.end()) {
    bugs.push_back(std::move(bug));
  } else {
    ++known->count;
  }
}

/// Equivalent runs have the same races, so only new behaviours are looked at this closely.
void Explorer::keep_races(const Prefix& schedule) {
  for (const analysis::Race& race : runner_.find_races(schedule, *strategy_)) {
    Outcome outcome;
    outcome.end = End::data_race;
    outcome.thread = race.second.thread;
    outcome.site = race.second.site;
    keep(options_.races == "report" ? result_.warnings : result_.bugs, {outcome, schedule, 1, race});
    if (!options_.keep_going && options_.races != "report") return;
  }
}

/// Steers runs into the deadlocks that lock order predicts. What cannot be confirmed stays a warning, and so does what
/// may be beyond the bound on preemptions.
void Explorer::confirm_cycles() {
  constexpr std::size_t most_cycles = 10;
  constexpr unsigned attempts = 200;
  for (const analysis::LockCycle& cycle : analysis::lock_cycles(runner_.lock_order(), most_cycles)) {
    if (stop_requested || (!result_.bugs.empty() && !options_.keep_going)) return;
    Steer steer(cycle, options_.seed);
    Prefix prefix;
    bool confirmed = false;
    const bool may_steer = !options_.bounds_preemptions();
    for (unsigned i = 0; i < attempts && may_steer && !confirmed && steer.next(prefix); ++i) {
      const Trace& trace = runner_.run(prefix, steer);
      confirmed = trace.end() == End::deadlock;
      if (!confirmed) continue;
      ++result_.deadlocks;
      keep(result_.bugs, {*trace.outcome, schedule_of(trace)});
    }
    if (!confirmed) result_.cycles.push_back(cycle);
  }
}

bool Explorer::budget_spent() {
  if (stop_requested) {
    result_.reasons.emplace_back("interrupted");
    return true;
  }
  if (max_executions_ != 0 && result_.executions + result_.partial_runs >= max_executions_) {
    result_.reasons.push_back(fmt::format("stopped after {} executions (--max-executions)", max_executions_));
    return true;
  }
  if (options_.max_seconds == 0 || elapsed() < options_.max_seconds) return false;
  result_.reasons.push_back(fmt::format("stopped after {} seconds (--max-seconds)", options_.max_seconds));
  return true;
}

void Explorer::conclude(bool exhausted) {
  auto& reasons = result_.reasons;
  if (!exhausted && reasons.empty()) reasons.emplace_back("stopped at the first bug (--keep-going goes on)");
  if (!unsuitable_.empty())
    reasons.push_back(
        fmt::format("strategy {} may miss behaviours, because {}: use exhaustive", strategy_name_, unsuitable_));
  if (!strategy_->exhausts())
    reasons.push_back(fmt::format("strategy {} samples behaviours; it cannot be complete", options_.strategy));
  if (strategy_->leaves_out())
    reasons.push_back(fmt::format("only behaviours with at most {} preemption{} were explored (--preemptions)",
                                  options_.preemptions, options_.preemptions == 1 ? "" : "s"));
  for (const auto& [end, runs] : cuts_)
    if (end != End::uncontrolled) reasons.push_back(describe_cut(end, runs, options_));
  for (const std::string& note : runner_.notes()) reasons.push_back(note);
  result_.complete = reasons.empty();
  result_.guarantee = strategy_->guarantee();
  result_.distinct = fingerprints_.count();
  result_.seconds = elapsed();
}

double Explorer::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace norn
