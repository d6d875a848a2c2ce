#include "comparison.hpp"

#include <fmt/format.h>

#include <mutex>
#include <thread>
#include <vector>

#include "shrinker.hpp"

namespace random_programs {
namespace {

bool has_assertions_besides_main(const Program& program) {
  for (unsigned t = 1; t < program.thread_count; ++t)
    for (unsigned i = 0; i < program.threads[t].size; ++i)
      if (program.threads[t].operations[i].verb == Verb::Assert) return true;
  return false;
}

class Comparison {
 public:
  Comparison(const EngineOptions& engine, const ComparisonOptions& what)
      : engine_(engine), under_test_(engine), what_(what), bounded_(what.strategy) {
    under_test_.extra += " " + what.extra;
  }

  enum class Result { agree, disagree, skipped };

  /// `why` says what is different.
  Result compare(const Program& program, unsigned worker, std::string& why) {
    const Exploration all = explore_behaviours(engine_, program, "exhaustive", worker);
    if (all.error.empty() && !all.complete) {
      why = all.reasons;
      return Result::skipped;
    }
    // As users do: strategies may count on it that nothing comes after a run that fails.
    EngineOptions under_test = under_test_;
    under_test.keeps_going = all.has_bugs;
    const Exploration once = explore_behaviours(under_test, program, what_.strategy, worker);
    runs_ += once.runs;
    partial_runs_ += once.partial_runs;
    if (once.is_handed_over) ++handed_over_;
    interleavings_ += all.runs;
    if (!all.error.empty() || !once.error.empty()) {
      why = all.error + once.error;
      return Result::disagree;
    }
    if (once.is_unsuitable()) {
      why = once.reasons;
      return Result::skipped;
    }
    why = once.complete ? difference(all.behaviours, once.behaviours) : "  incomplete: " + once.reasons;
    if (!what_.must_disagree) why += contradiction_of_reference(program, all);
    bool other_operations = false;
    for (unsigned bound = 0; bound < what_.bounds && why.empty(); ++bound)
      why = bounded_.compare({under_test, program, worker, all, once, bound}, other_operations);
    if (why.empty()) return Result::agree;
    // Whether giving back a lock is visible is found out by exploring, and the bound may keep that out.
    return other_operations ? Result::skipped : Result::disagree;
  }

  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] std::uint64_t partial_runs() const { return partial_runs_; }
  [[nodiscard]] unsigned handed_over() const { return handed_over_; }
  [[nodiscard]] std::uint64_t interleavings() const { return interleavings_; }
  [[nodiscard]] const BoundedComparison& bounded() const { return bounded_; }

 private:
  static std::string contradiction_of_reference(const Program& program, const Exploration& all) {
    // The reference lets assertions fail at once, but before that main could end, and with it the program.
    if (program.unjoined && has_assertions_besides_main(program)) return {};
    const Reference reference = explore(program);
    if (!reference.complete) return {};
    return contradiction(reference, {Observation::Kind::Complete, all.outcomes, ""}, true).value_or("");
  }

  EngineOptions engine_;
  EngineOptions under_test_;
  ComparisonOptions what_;
  BoundedComparison bounded_;
  std::atomic<std::uint64_t> runs_ = 0;
  std::atomic<std::uint64_t> partial_runs_ = 0;
  std::atomic<unsigned> handed_over_ = 0;
  std::atomic<std::uint64_t> interleavings_ = 0;
};

void report(Comparison& comparison, std::uint64_t seed, const Program& program, unsigned worker, std::string why,
            std::mutex& output) {
  const std::string first = why;
  const Program smallest = shrink(program, [&](const Program& smaller) {
    return comparison.compare(smaller, worker, why) == Comparison::Result::disagree;
  });
  if (comparison.compare(smallest, worker, why) != Comparison::Result::disagree)
    why = "  (not every time: the shrunk program agreed when run again. Before that:)\n" + first;
  const std::lock_guard guard(output);
  fmt::print("the program of seed {} disagrees:\n    {}\n{}  again: --program '{}'\n", seed,
             to_text(smallest, "\n    | "), why, to_text(smallest));
  std::fflush(stdout);
}

}  // namespace

bool run_comparison(const EngineOptions& engine, const ComparisonOptions& what, const CampaignOptions& options) {
  Comparison comparison(engine, what);
  std::atomic<unsigned> next = 0;
  std::atomic<unsigned> failures = 0;
  std::atomic<unsigned> skipped = 0;
  std::mutex output;
  const auto work = [&](unsigned worker) {
    for (unsigned i = next++; i < options.count && failures < options.max_failures; i = next++) {
      const FittedProgram fitted = fitted_program(options.seed + i, options);
      std::string why;
      const auto result = comparison.compare(fitted.program, worker, why);
      if (result == Comparison::Result::skipped) ++skipped;
      if (result != Comparison::Result::disagree) continue;
      ++failures;
      if (!what.must_disagree) report(comparison, options.seed + i, fitted.program, worker, why, output);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < options.jobs; ++worker) workers.emplace_back(work, worker);
  }
  const unsigned compared = std::min(next.load(), options.count) - skipped;
  fmt::print(
      "{} programs compared ({} skipped, {} handed over to another strategy), {} disagree; {} runs and {} partial "
      "ones instead of {}\n",
      compared, skipped.load(), comparison.handed_over(), failures.load(), comparison.runs(), comparison.partial_runs(),
      comparison.interleavings());
  if (what.bounds != 0)
    fmt::print("with at most 0 to {} preemptions {} runs, {} explorations declined\n", what.bounds - 1,
               comparison.bounded().runs(), comparison.bounded().unsuitable());
  if (what.must_disagree) return failures != 0;
  return failures == 0 && compared >= options.at_least && skipped <= options.count * max_skipped_share;
}

bool compare_one(const EngineOptions& engine, const ComparisonOptions& what, const Program& program) {
  Comparison comparison(engine, what);
  std::string why;
  const auto result = comparison.compare(program, 0, why);
  fmt::print("{}\n{} runs instead of {}\n{}{}\n", to_text(program, "\n| "), comparison.runs(),
             comparison.interleavings(), why,
             result == Comparison::Result::disagree  ? "they disagree"
             : result == Comparison::Result::skipped ? " (not compared)"
                                                     : "they agree");
  return result != Comparison::Result::disagree;
}

}  // namespace random_programs
