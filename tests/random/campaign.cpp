#include "campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "generator.hpp"
#include "shrinker.hpp"

namespace random_programs {
namespace {

using Kind = Observation::Kind;

std::string list(std::string_view title, const Outcomes& outcomes) {
  std::string text = fmt::format("  {}:\n", title);
  for (const std::string& outcome : outcomes) text += fmt::format("    {}\n", outcome);
  return outcomes.empty() ? "" : text;
}

Outcomes difference(const Outcomes& from, const Outcomes& what) {
  Outcomes rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::inserter(rest, rest.end()));
  return rest;
}

std::optional<std::string> contradiction_of(Subject& subject, const Program& program, unsigned worker) {
  const Reference reference = explore(program);
  if (!reference.complete) return std::nullopt;
  return contradiction(reference, subject.observe(program, reference, worker), subject.is_exhaustive());
}

/// Gives the numbers 0 to count-1 to `jobs` threads, until `work` returns false.
void in_parallel(unsigned count, unsigned jobs, const std::function<bool(unsigned index, unsigned worker)>& work) {
  std::atomic<unsigned> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned worker = 0; worker < jobs; ++worker) {
    threads.emplace_back([&, worker] {
      for (unsigned index = next++; index < count && work(index, worker); index = next++) {
      }
    });
  }
}

class Campaign {
 public:
  Campaign(Subject& subject, const CampaignOptions& options) : subject_(subject), options_(options) {}

  bool run() {
    const auto start = std::chrono::steady_clock::now();
    in_parallel(options_.count, options_.jobs, [&](unsigned index, unsigned worker) {
      check(options_.seed + index, worker);
      return failures_ < options_.max_failures;
    });
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const unsigned compared = programs_ - skipped_;
    fmt::print("{} programs compared of {} ({} trimmed to fit, {} skipped), {} outcomes, {} disagree, {:.1f} s\n",
               compared, programs_, trimmed_, skipped_, outcomes_, failures_.load(), elapsed.count());
    const bool too_few = compared < options_.at_least || skipped_ > programs_ * max_skipped_share;
    if (too_few) fmt::print("too few were compared{}\n", skip_reason_);
    return failures_ == 0 && !too_few;
  }

 private:
  void check(std::uint64_t seed, unsigned worker) {
    const FittedProgram fitted = fitted_program(seed, options_);
    const Observation observation = subject_.observe(fitted.program, fitted.reference, worker);
    const bool exhaustive = subject_.is_exhaustive();
    const bool wrong = contradiction(fitted.reference, observation, exhaustive).has_value();
    count(fitted, observation, wrong);
    if (wrong) report(seed, fitted.program, worker);
  }

  void count(const FittedProgram& fitted, const Observation& observation, bool wrong) {
    const std::lock_guard guard(mutex_);
    ++programs_;
    trimmed_ += fitted.trimmed ? 1 : 0;
    outcomes_ += observation.outcomes.size();
    failures_ += wrong ? 1 : 0;
    if (observation.kind != Kind::Incomplete) return;
    ++skipped_;
    skip_reason_ = fmt::format("; the last was skipped because: {} ({})", observation.message, to_text(fitted.program));
  }

  void report(std::uint64_t seed, const Program& program, unsigned worker) {
    const Program smallest = shrink(
        program, [&](const Program& smaller) { return contradiction_of(subject_, smaller, worker).has_value(); });
    const std::optional<std::string> why = contradiction_of(subject_, smallest, worker);
    const std::lock_guard guard(mutex_);
    fmt::print(
        "the program of seed {} disagrees with the reference:\n{}\n  shrunk:\n    {}\n{}"
        "  again: --program '{}'\n",
        seed, "  " + to_text(program), to_text(smallest, "\n    | "),
        why.value_or("  (not every time: the shrunk program agreed when run again)\n"), to_text(smallest));
    std::fflush(stdout);
  }

  Subject& subject_;
  const CampaignOptions& options_;
  std::mutex mutex_;
  std::atomic<unsigned> failures_ = 0;
  unsigned programs_ = 0;
  unsigned trimmed_ = 0;
  unsigned skipped_ = 0;
  std::size_t outcomes_ = 0;
  std::string skip_reason_;
};

constexpr std::array<std::string_view, fault_count> fault_names = {"none",
                                                                   "notify_one wakes the first waiter only",
                                                                   "timed waits never expire",
                                                                   "waits may end spuriously",
                                                                   "try_lock blocks",
                                                                   "try_lock may fail on a free lock",
                                                                   "readers exclude each other",
                                                                   "try_acquire blocks",
                                                                   "barriers let everybody pass",
                                                                   "call_once does not wait for the body",
                                                                   "join does not wait",
                                                                   "timed waits expire only with the mutex",
                                                                   "two mutexes are taken together one after the other",
                                                                   "who is woken does not look again",
                                                                   "waking one sleeper wakes all of them",
                                                                   "several given back to a semaphore are one",
                                                                   "what failed once is done",
                                                                   "messages of one thread overtake each other",
                                                                   "V of a binary semaphore does not wait",
                                                                   "SU monitors signal and continue",
                                                                   "conditions of monitors are last in, first out"};

}  // namespace

FittedProgram fitted_program(std::uint64_t seed, const CampaignOptions& options) {
  const Theme other_theme = options.readers ? Theme::readers : options.both ? Theme::both : Theme::primitives;
  FittedProgram fitted{
      generate(seed, options.constructs ? Theme::constructs : other_theme, options.failing), {}, false};
  fitted.program.unjoined |= options.unjoined;
  Random random(seed);
  while (true) {
    fitted.reference = explore(fitted.program);
    const bool fits = fitted.reference.complete && fitted.reference.interleavings <= options.max_interleavings;
    if (fits || !trim(fitted.program, random)) return fitted;
    fitted.trimmed = true;
  }
}

std::optional<std::string> contradiction(const Reference& reference, const Observation& observation, bool exhaustive) {
  if (observation.kind == Kind::Error) return fmt::format("  error: {}\n", observation.message);
  const Outcomes wrong = difference(observation.outcomes, reference.outcomes);
  Outcomes missing;
  if (exhaustive && observation.kind == Kind::Complete) missing = difference(reference.outcomes, observation.outcomes);
  if (wrong.empty() && missing.empty()) return std::nullopt;
  return list("observed, but impossible according to the reference", wrong) +
         list("possible according to the reference, but not observed", missing) +
         list("reference", reference.outcomes) + list("observed", observation.outcomes);
}

bool check_one(Subject& subject, const Program& program) {
  const Reference reference = explore(program);
  const Observation observation = subject.observe(program, reference, 0);
  const std::optional<std::string> wrong = contradiction(reference, observation, subject.is_exhaustive());
  fmt::print("{}\n{} states, {} interleavings\n{}{}{}", to_text(program, "\n| "), reference.states,
             reference.interleavings, list("reference", reference.outcomes), list("observed", observation.outcomes),
             observation.message);
  fmt::print("{}\n", wrong ? "they disagree:\n" + *wrong : "they agree");
  return !wrong && observation.kind == Kind::Complete;
}

bool run_campaign(Subject& subject, const CampaignOptions& options) { return Campaign(subject, options).run(); }

bool run_self_check(Subject& subject, const CampaignOptions& options) {
  std::array<std::atomic<bool>, fault_count> noticed{};
  for (unsigned fault = 0; fault < fault_count; ++fault)
    noticed[fault] = fault == 0 || is_about_constructs(static_cast<Fault>(fault)) != options.constructs;
  in_parallel(options.count, options.jobs, [&](unsigned index, unsigned worker) {
    const FittedProgram fitted = fitted_program(options.seed + index, options);
    const Observation observation = subject.observe(fitted.program, fitted.reference, worker);
    for (unsigned fault = 1; fault < fault_count; ++fault) {
      if (noticed[fault] || observation.kind != Kind::Complete) continue;
      const Reference faulty = explore(fitted.program, static_cast<Fault>(fault));
      if (!faulty.complete || !contradiction(faulty, observation, subject.is_exhaustive())) continue;
      if (!noticed[fault].exchange(true))
        fmt::print("noticed with seed {}: {}\n", options.seed + index, fault_names[fault]);
    }
    return !std::all_of(noticed.begin(), noticed.end(), [](const auto& flag) { return flag.load(); });
  });
  for (unsigned fault = 1; fault < fault_count; ++fault)
    if (!noticed[fault]) fmt::print("NOT noticed within {} programs: {}\n", options.count, fault_names[fault]);
  return std::all_of(noticed.begin(), noticed.end(), [](const auto& flag) { return flag.load(); });
}

}  // namespace random_programs
