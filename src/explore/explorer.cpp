#include "explore/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

bool same_bug(const Outcome& one, const Outcome& other) {
  return one.end == other.end && one.site == other.site && std::string_view(one.message) == other.message;
}

Explorer::Explorer(const Options& options, Runner& runner) : options_(options), runner_(runner) {}

Exploration Explorer::explore() {
  begin();
  Prefix prefix;
  bool exhausted = true;
  while (strategy_->next(prefix)) {
    const Trace& trace = runner_.run(prefix, *strategy_);
    if (runner_.must_restart()) {
      begin();
      continue;
    }
    strategy_->learn(trace);
    if (!learn(trace) || budget_spent()) {
      exhausted = false;
      break;
    }
  }
  conclude(exhausted);
  return std::move(result_);
}

void Explorer::begin() {
  strategy_ = find_strategy(options_.strategy)->create(options_);
  fingerprints_ = {};
  cuts_.clear();
  start_ = std::chrono::steady_clock::now();
  result_ = {};
  const bool unlimited = options_.max_executions == 0 && options_.max_seconds == 0;
  max_executions_ = unlimited && !strategy_->exhausts() ? default_samples : options_.max_executions;
}

/// False when exploration ends with this run.
bool Explorer::learn(const Trace& trace) {
  count(trace);
  if (!is_bug(trace.end())) return true;
  keep_bug(trace);
  return options_.keep_going;
}

void Explorer::count(const Trace& trace) {
  ++result_.executions;
  result_.events += trace.events.size();
  result_.threads_max = std::max(result_.threads_max, trace.threads);
  result_.deadlocks += trace.end() == End::deadlock;
  if (is_cut(trace.end())) ++cuts_[trace.end()];
  fingerprints_.add(trace);
  if (options_.outcomes) ++result_.outcomes[{status(trace.end()), runner_.last_output()}];
  if (options_.list_runs) list(trace);
}

void Explorer::list(const Trace& trace) {
  std::string line = status(trace.end());
  for (const Event& event : trace.events) {
    line += fmt::format(" {}:{}", event.thread, name(event.op));
    if (event.alternative != 0) line += fmt::format("({})", event.alternative);
  }
  result_.runs.push_back(std::move(line));
}

void Explorer::keep_bug(const Trace& trace) {
  const Outcome& outcome = *trace.outcome;
  for (Bug& bug : result_.bugs) {
    if (!same_bug(bug.outcome, outcome)) continue;
    ++bug.count;
    return;
  }
  Bug bug{outcome, {}};
  for (const Event& event : trace.events) bug.schedule.push_back({event.thread, event.alternative});
  result_.bugs.push_back(std::move(bug));
}

bool Explorer::budget_spent() {
  if (stop_requested) {
    result_.reasons.emplace_back("interrupted");
    return true;
  }
  if (max_executions_ != 0 && result_.executions >= max_executions_) {
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
  if (!strategy_->exhausts())
    reasons.push_back(fmt::format("strategy {} samples behaviours; it cannot be complete", options_.strategy));
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
