#include "explore/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explore/steer.hpp"
#include "norn/runtime_abi.h"
#include "support/plural.hpp"

namespace norn {

volatile bool stop_requested = false;
volatile bool is_overdue = false;

namespace {

std::string describe_cut(End end, std::uint64_t runs, const Options& options) {
  const std::string those = runs == 1 ? "1 run was" : fmt::format("{} runs were", runs);
  switch (end) {
    case End::step_limit: return fmt::format("{} cut after {} steps: raise --max-steps", those, options.max_steps);
    case End::thread_limit:
      return fmt::format("{} cut because of more than {}: raise --max-threads", those,
                         plural(options.max_threads, "thread"));
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

static_assert(static_cast<unsigned>(Op::count_) <= 64, "Findings::operations has a bit for each");

const char* status(End end) { return end == End::finished ? "ok" : kind(end); }

Prefix schedule_of(const Trace& trace) {
  Prefix schedule;
  for (const Event& event : trace.events) schedule.push_back({event.thread, event.alternative});
  return schedule;
}

}  // namespace

Explorer::Explorer(const Options& options, Runner& runner)
    : options_(options), runner_(runner), start_(std::chrono::steady_clock::now()) {}

std::string_view Explorer::first_strategy(const Options& options) {
  if (options.strategy != "auto") return options.strategy;
  return options.bounds_preemptions() ? "dpor" : "reachability";
}

/// Which strategy does what this one is not suitable for; empty if the user wants this one.
std::string_view Explorer::successor(std::string_view strategy, const Options& options) {
  if (strategy == "reachability" || strategy == "t-way") return "dpor";
  return strategy == "dpor" && options.strategy == "auto" ? "exhaustive" : "";
}

/// What is said about it, if the user wanted this strategy.
std::string Explorer::hand_over(std::string_view strategy, std::string_view reason, const Options& options) {
  if (options.strategy != strategy) return {};
  return fmt::format("strategy {} handed the program over to {}, because {}", strategy, successor(strategy, options),
                     reason);
}

void Explorer::begin(std::string_view strategy) {
  strategy_name_ = strategy;
  strategy_ = find_strategy(strategy)->create(options_);
  forget_behaviours();
  repetition_ = {};
  findings_ = {};
  standing_ = {};
  standing_.strategy = strategy;
  standing_.left = pieces();
  graph_ = {};
}

void Explorer::resume(const Standing& from) {
  begin(find_strategy(from.strategy)->name);
  strategy_->take_over(from.left);
  fingerprints_.add_all(from.fingerprints);
  if (from.too_many) fingerprints_.give_up();
  if (watched_) static_cast<void>(fingerprints_.take_new());
  remark_ = from.remark;
  standing_ = from;
  standing_.fingerprints.clear();
  seconds_before_ = from.seconds;
}

Exploration Explorer::explore(Watcher* watcher, const Standing* from) {
  static const std::atomic<std::uint32_t> nobody_asks = 0;
  const std::atomic<std::uint32_t>& asked = watcher != nullptr ? watcher->asks() : nobody_asks;
  watched_ = watcher != nullptr;
  from != nullptr ? resume(*from) : begin(first_strategy(options_));
  for (;;) {
    const Stop stop = work_in_time(asked);
    if (stop == Stop::restart) {
      begin(strategy_name_);
    } else if (stop == Stop::unsuitable) {
      const std::string remark = hand_over(strategy_name_, findings_.unsuitable, options_);
      begin(successor(strategy_name_, options_));
      if (!remark.empty()) remark_ = remark;
    } else if (stop == Stop::asked && !stop_requested) {
      const auto now = std::chrono::steady_clock::now();
      if (strategy_->exhausts()) settle();
      watcher->look(*this, now);
    } else {
      // What a run that was interrupted belongs to is left to do, so it is as if there had been nothing since.
      const bool goes_on_later = options_.checkpoint || stop_requested;
      if (stop != Stop::interrupted || !strategy_->exhausts() || !goes_on_later) settle();
      Findings found = standing_.findings;
      if (found.guarantee.empty()) found.guarantee = remark_;
      return conclude(stop, std::move(found), fingerprints_.count_but_new(), standing_.left);
    }
  }
}

/// With --max-seconds a run that is under way when the time is over is cut. All may begin anew again and again, too.
Stop Explorer::work_in_time(const std::atomic<std::uint32_t>& asked) {
  is_overdue = false;
  if (options_.max_seconds == 0) return work_within_limit(asked);
  if (is_out_of_time() && begun_anew_) return Stop::time;
  runner_.finish_before(
      start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.max_seconds)));
  const Stop stop = work_within_limit(asked);
  runner_.finish_before(Clock::time_point::max());
  begun_anew_ = stop == Stop::restart || stop == Stop::unsuitable;
  return stop;
}

/// There may be fewer runs if others were done before.
Stop Explorer::work_within_limit(const std::atomic<std::uint32_t>& asked) {
  const Findings& before = standing_.findings;
  if (!before.bugs.empty() && !options_.keep_going && !options_.self_check) return Stop::bug;
  const std::uint64_t limit = run_limit(options_, strategy_->exhausts());
  const std::uint64_t done = before.executions + before.partial_runs + findings_.executions + findings_.partial_runs;
  if (limit != 0 && done >= limit && !standing_.left.empty()) return Stop::budget;
  return work(limit == 0 ? 0 : limit - done, asked);
}

/// Other operations are visible: what was seen of locks is true, but these runs cannot be run again.
void Explorer::forget_behaviours() {
  runner_.forget_lock_order();
  for (std::vector<analysis::KnownEdge>* edges : {&findings_.lock_order, &standing_.findings.lock_order})
    for (analysis::KnownEdge& edge : *edges) edge.schedule.clear();
  fingerprints_ = {};
  if (watched_) static_cast<void>(fingerprints_.take_new());  // from now on it is known which are new
}

/// What was found since the last time is a part of the standing now.
void Explorer::settle() {
  standing_.findings.merge(take_findings());
  standing_.left = pieces();
  static_cast<void>(fingerprints_.count());  // now that of the last run is among them
  if (watched_) static_cast<void>(fingerprints_.take_new());
  standing_.seconds = seconds_before_ + elapsed();
}

Standing Explorer::standing() const {
  Standing standing = standing_;
  standing.remark = remark_;
  standing.fingerprints = fingerprints_.all_but_new();
  standing.too_many = fingerprints_.are_too_many();
  return standing;
}

Progress Explorer::progress() {
  const Findings& before = standing_.findings;
  Progress progress;
  progress.executions = before.executions + findings_.executions;
  progress.partial_runs = before.partial_runs + findings_.partial_runs;
  progress.behaviours = fingerprints_.count();
  progress.bugs = before.bugs.size() + findings_.bugs.size();
  const std::vector<Piece> sampled = strategy_->exhausts() ? std::vector<Piece>() : pieces();
  const std::span<const Piece> left = strategy_->exhausts() ? standing_.left : sampled;
  if (strategy_->exhausts()) progress.frontier = left.size();
  progress.estimate = norn::estimate(progress.executions, left);
  progress.seconds = seconds_before_ + elapsed();
  return progress;
}

std::optional<Estimate> estimate(std::uint64_t executions, std::span<const Piece> left) {
  Size size;
  for (const Piece& piece : left) size += piece.size;
  if (size.runs <= 0 || size.runs >= endless) return std::nullopt;
  return estimate(executions, size);
}

Stop Explorer::work(std::uint64_t runs, const std::atomic<std::uint32_t>& asked) {
  const std::uint64_t last = runs == 0 ? UINT64_MAX : findings_.executions + findings_.partial_runs + runs;
  Prefix prefix;
  while (strategy_->next(prefix)) {
    if (std::exchange(told_apart_anew_, false)) forget_behaviours();
    const Trace& trace = runner_.run(prefix, *strategy_);
    if (trace.end() == End::interrupted) return Stop::interrupted;
    note_lock_order(trace);
    const bool beyond = strategy_->is_beyond_bound(trace);
    const auto reason = strategy_->why_unsuitable(trace);
    const bool failed = is_bug(trace.end()) && !beyond;
    const bool ends_here = failed && ends_with(*trace.outcome);
    // The schedule of a bug that is kept, now or before, is one of the operations that were visible until now.
    // Of a livelock it is not known whether it is one as long as not all that threads look at is visible.
    const bool seems_stuck = trace.end() == End::livelock;
    const bool ends_with_race = !beyond && ends_with_race_of(trace);
    const bool has_bug = failed || ends_with_race || !findings_.bugs.empty();
    const bool keeps_bug = has_bug && !seems_stuck && (ends_here || !strategy_->exhausts());
    const bool more_is_visible = !keeps_bug && runner_.must_restart();
    if (more_is_visible && strategy_->exhausts()) return Stop::restart;
    told_apart_anew_ |= more_is_visible;
    if (more_is_visible && seems_stuck && !is_out_of_time()) continue;
    if (!ends_here && !ends_with_race && !reason.empty()) {
      findings_.unsuitable = reason;
      if (!successor(strategy_name_, options_).empty()) return Stop::unsuitable;
    }
    if ((ends_here || ends_with_race) && !reason.empty()) note_whom_it_is_meant_for();
    strategy_->learn(trace);
    if (is_overdue) return Stop::interrupted;
    const bool is_repetition = strategy_->repeats() || (trace.in_part && strategy_->exhausts());
    const bool known = is_repetition && !ends_here && !ends_with_race && !is_cut(trace.end());
    const bool only_repeats = beyond || known;
    if (only_repeats) ++findings_.partial_runs;
    const auto [columns, races] = strategy_->race_table();
    findings_.race_tables.add(columns, races);
    if (!only_repeats && !learn(trace)) return Stop::bug;
    if (findings_.executions + findings_.partial_runs >= last) return Stop::budget;
    // First: runs may be so long that somebody asks after every one of them.
    if (is_out_of_time()) return Stop::time;
    if (stop_requested || asked.load(std::memory_order_relaxed) != 0) return Stop::asked;
  }
  return Stop::exhausted;
}

/// `auto` knows from the first run who has to go on. That this run ends everything makes no difference to what is said.
void Explorer::note_whom_it_is_meant_for() {
  const bool is_first = findings_.executions + findings_.partial_runs + standing_.findings.executions == 0;
  if (is_first && options_.strategy == "auto") findings_.meant_for = successor(strategy_name_, options_);
}

Findings Explorer::take_findings() {
  findings_.exhausts = strategy_->exhausts();
  findings_.leaves_out = strategy_->leaves_out();
  findings_.guarantee = strategy_->guarantee();
  findings_.finished = strategy_->why_finished();
  findings_.coverage = strategy_->coverage();
  findings_.notes = runner_.notes();
  return std::exchange(findings_, {});
}

/// False when exploration ends with this run. The trace is gone afterwards.
bool Explorer::learn(const Trace& trace) {
  const bool is_new = count(trace);
  repetition_.remember(trace);
  const bool failed = is_bug(trace.end());
  const bool look_for_races = trace.raced && is_new && options_.races != "ignore";
  Prefix schedule;
  if (failed || look_for_races) schedule = schedule_of(trace);
  if (failed) keep(findings_.bugs, {*trace.outcome, schedule});
  if (look_for_races) keep_races(schedule);
  return std::none_of(findings_.bugs.begin(), findings_.bugs.end(),
                      [this](const Bug& bug) { return ends_with(bug.outcome); });
}

/// Whether a bug is all that somebody wants to know.
bool Explorer::ends_with(const Outcome& outcome) const {
  if (options_.self_check) return std::string_view(outcome.message) == NORN_PLANTED_BUG;
  return !options_.keep_going;
}

/// Then it is reported as it was found, even if the strategy cannot go on from there.
bool Explorer::ends_with_race_of(const Trace& trace) const {
  return trace.raced && options_.races == "fail" && !options_.keep_going && !options_.self_check;
}

/// False if this behaviour was seen before; only of those with races it is known at once.
bool Explorer::count(const Trace& trace) {
  if (trace.end() == End::repeats) {
    ++findings_.partial_runs;
    return true;
  }
  ++findings_.executions;
  findings_.events += trace.events.size();
  findings_.threads_max = std::max(findings_.threads_max, trace.threads);
  // What is in the prefix was seen when it was new.
  for (const Event& event : trace.events.subspan(trace.prefix))
    findings_.operations |= std::uint64_t{1} << static_cast<unsigned>(event.op);
  findings_.deadlocks += trace.end() == End::deadlock;
  if (is_cut(trace.end())) ++findings_.cuts[trace.end()];
  if (options_.outcomes && trace.end() != End::pruned)
    ++findings_.outcomes[{status(trace.end()), runner_.last_output()}];
  if (options_.graph) graph_.add(trace);
  if (options_.list_runs) list(trace);
  if (options_.list_behaviours) list_behaviour(trace);
  if (trace.raced) return fingerprints_.add(trace);
  fingerprints_.add_later(trace);
  return true;
}

void Explorer::list(const Trace& trace) {
  std::string line = status(trace.end());
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    line += fmt::format(" {}:{}", event.thread, name(event.op));
    if (event.alternative != 0) line += fmt::format("({})", event.alternative);
    if (!asks_for_lines(options_)) continue;
    line += fmt::format("@{}#{}", fmt::ptr(event.object), trace.locations[i]);
    if (event.effect == Effect::read) line += "?";
  }
  findings_.runs.push_back(std::move(line));
}

void Explorer::list_behaviour(const Trace& trace) {
  std::string line = fmt::format("{} {:016x}", status(trace.end()), fingerprints_.of(trace));
  if (const auto known = strategy_->preemptions()) line += fmt::format(" {}", *known);
  findings_.behaviours.push_back(std::move(line));
}

/// Equivalent runs have the same races, so only new behaviours are looked at this closely. Two places can race in
/// several ways in one run, which shows that race once.
void Explorer::keep_races(const Prefix& schedule) {
  const std::vector<analysis::Race> races = runner_.find_races(schedule, *strategy_);
  if (races.empty()) ++findings_.cuts[End::diverged];
  std::vector<Bug> found;
  for (const analysis::Race& race : races) {
    Outcome outcome;
    outcome.end = End::data_race;
    outcome.thread = race.second.thread;
    outcome.site = race.second.site;
    const Bug bug{outcome, schedule, 1, race};
    if (std::none_of(found.begin(), found.end(), [&bug](const Bug& other) { return other.is_same(bug); }))
      found.push_back(bug);
    if (!options_.keep_going && options_.races != "report") break;
  }
  for (Bug& bug : found) keep(options_.races == "report" ? findings_.warnings : findings_.bugs, std::move(bug));
}

/// Hardly any run shows anything new.
void Explorer::note_lock_order(const Trace& trace) {
  constexpr std::uint32_t longest = 20'000;
  for (const analysis::LockEdge& edge : runner_.new_lock_order()) {
    analysis::KnownEdge known{edge, analysis::kinship(trace.links.first(edge.links), edge.thread), {}};
    const std::size_t length = edge.takes_step + std::size_t{1};
    if (length <= longest)
      for (const Event& event : trace.events.first(length)) known.schedule.push_back({event.thread, event.alternative});
    add(findings_.lock_order, std::move(known));
  }
}

/// Steers runs into the deadlocks that lock order predicts. What cannot be confirmed stays a warning, and so does what
/// may be beyond the bound on preemptions.
void Explorer::confirm_cycles(Exploration& result) {
  constexpr std::size_t most_cycles = 10;
  constexpr unsigned attempts = 200;
  result.attempts = options_.bounds_preemptions() ? 0 : attempts;
  for (const analysis::LockCycle& cycle : analysis::lock_cycles(result.lock_order, most_cycles)) {
    if (stop_requested || (!result.bugs.empty() && !options_.keep_going)) return;
    Steer steer(cycle, options_.seed);
    Prefix prefix;
    bool confirmed = false;
    for (unsigned i = 0; i < result.attempts && !confirmed && steer.next(prefix); ++i) {
      const Trace& trace = runner_.run(prefix, steer);
      confirmed = trace.end() == End::deadlock;
      if (!confirmed) continue;
      ++result.deadlocks;
      keep(result.bugs, {*trace.outcome, schedule_of(trace)});
    }
    if (!confirmed) result.cycles.push_back(cycle);
  }
}

Exploration Explorer::conclude(Stop stop, Findings findings, std::int64_t distinct, std::span<const Piece> left) {
  Exploration result{std::move(findings)};
  result.strategy = result.meant_for.empty() ? std::string(strategy_name_) : result.meant_for;
  // What an exploration that saw everything did not see cannot happen.
  if (stop != Stop::exhausted || !result.exhausts || !result.leaves_out.empty()) confirm_cycles(result);
  if (result.exhausts && stop != Stop::bug) result.estimate = norn::estimate(result.executions, left);
  result.reasons = reasons(stop, result);
  if (result.reasons.empty()) check_repetition(result);
  result.complete = result.reasons.empty();
  result.distinct = distinct;
  result.seconds = seconds_before_ + elapsed();
  return result;
}

/// Only what would be complete is looked at as closely.
void Explorer::check_repetition(Exploration& result) {
  const std::string difference = repetition_.find_difference(runner_);
  if (!difference.empty())
    result.reasons.push_back(
        fmt::format("the program depends on something that is not under control: scheduled the same, {}", difference));
}

std::vector<std::string> Explorer::reasons(Stop stop, const Findings& found) const {
  std::vector<std::string> reasons;
  if (stop_requested && stop != Stop::exhausted && stop != Stop::bug) {
    reasons.emplace_back("interrupted");
  } else if (stop == Stop::bug) {
    reasons.emplace_back("stopped at the first bug (--keep-going goes on)");
  } else if (stop == Stop::time) {
    reasons.push_back(fmt::format("stopped after {} (--max-seconds)", plural(options_.max_seconds, "second")));
  } else if (stop == Stop::interrupted) {
    reasons.push_back(fmt::format("stopped after {} (--max-seconds), in the middle of a run",
                                  plural(options_.max_seconds, "second")));
  } else if (stop == Stop::exhausted && !found.finished.empty()) {
    reasons.push_back(found.finished);
  } else if (stop != Stop::exhausted || !found.exhausts) {
    reasons.push_back(
        fmt::format("stopped after {} (--max-executions)", plural(run_limit(options_, found.exhausts), "execution")));
  }
  if (!found.unsuitable.empty())
    reasons.push_back(
        fmt::format("strategy {} may miss behaviours, because {}: use exhaustive", strategy_name_, found.unsuitable));
  if (!found.exhausts)
    reasons.push_back(fmt::format("strategy {} samples behaviours; it cannot be complete", options_.strategy));
  if (!found.leaves_out.empty()) reasons.push_back(found.leaves_out);
  for (const auto& [end, runs] : found.cuts) {
    // What is not as an unsuitable strategy has foreseen may still be under control.
    const bool is_its_mistake = end == End::diverged && !found.unsuitable.empty();
    if (end != End::uncontrolled && !is_its_mistake) reasons.push_back(describe_cut(end, runs, options_));
  }
  reasons.insert(reasons.end(), found.notes.begin(), found.notes.end());
  return reasons;
}

bool Explorer::is_out_of_time() const { return options_.max_seconds != 0 && elapsed() >= options_.max_seconds; }

double Explorer::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace norn
