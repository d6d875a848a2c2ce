#include "comparison.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "process.hpp"
#include "shrinker.hpp"

namespace random_programs {
namespace {

using namespace std::chrono_literals;

/// How often each behaviour was seen.
using Behaviours = std::map<std::string, unsigned>;

struct Exploration {
  std::string error;
  bool complete = false;
  std::string reasons;
  Behaviours behaviours;
  std::uint64_t runs = 0;
};

class Comparison {
 public:
  Comparison(const EngineOptions& engine, std::string strategy) : engine_(engine), strategy_(std::move(strategy)) {}

  enum class Result { agree, disagree, skipped };

  /// `why` says what is different.
  Result compare(const Program& program, unsigned worker, std::string& why) {
    const Exploration all = explore(program, "exhaustive", worker);
    if (all.error.empty() && !all.complete) {
      why = all.reasons;
      return Result::skipped;
    }
    const Exploration once = explore(program, strategy_, worker);
    runs_ += once.runs;
    interleavings_ += all.runs;
    if (!all.error.empty() || !once.error.empty()) {
      why = all.error + once.error;
      return Result::disagree;
    }
    // A strategy that knows that it is not made for a program says so.
    if (once.reasons.find("may miss behaviours") != std::string::npos) {
      why = once.reasons;
      return Result::skipped;
    }
    why = once.complete ? difference(all.behaviours, once.behaviours) : "  incomplete: " + once.reasons;
    return why.empty() ? Result::agree : Result::disagree;
  }

  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] std::uint64_t interleavings() const { return interleavings_; }

 private:
  static std::string difference(const Behaviours& all, const Behaviours& once) {
    unsigned missing = 0;
    unsigned twice = 0;
    unsigned unknown = 0;
    for (const auto& [behaviour, count] : all) missing += once.contains(behaviour) ? 0 : 1;
    for (const auto& [behaviour, count] : once) {
      twice += count - 1;
      unknown += all.contains(behaviour) ? 0 : 1;
    }
    if (missing + twice + unknown == 0) return {};
    return fmt::format("  of {} behaviours, {} are missing, {} came again, {} are unknown to the exhaustive strategy\n",
                       all.size(), missing, twice, unknown);
  }

  Exploration explore(const Program& program, const std::string& strategy, unsigned worker) const {
    const std::string base =
        (std::filesystem::temp_directory_path() / fmt::format("norn-compare.{}.{}", getpid(), worker)).string();
    std::vector<std::string> words = {engine_.norn,
                                      "check",
                                      engine_.interpreter,
                                      "--strategy",
                                      strategy,
                                      "--keep-going",
                                      "--races",
                                      "ignore",
                                      "--minimise",
                                      "0",
                                      "--quiet",
                                      "--max-executions",
                                      std::to_string(engine_.max_executions),
                                      "--json",
                                      base + ".json",
                                      "--list-behaviours",
                                      base + ".txt"};
    std::istringstream extra(engine_.extra);
    for (std::string word; extra >> word;) words.push_back(word);
    words.insert(words.end(), {"--", to_text(program)});
    const ProcessResult run = run_process(words, 120s, base + ".err");
    Exploration result;
    if (run.exit_code != 0 && run.exit_code != 1 && run.exit_code != 3) {
      std::ifstream file(base + ".err");
      result.error = fmt::format("  norn --strategy {} ended with code {} signal {}\n{}\n", strategy, run.exit_code,
                                 run.signal, std::string{std::istreambuf_iterator<char>(file), {}});
    } else {
      read(base, result);
    }
    for (const char* suffix : {".json", ".txt", ".err"}) std::filesystem::remove(base + suffix);
    return result;
  }

  static void read(const std::string& base, Exploration& result) {
    std::ifstream summary(base + ".json");
    const nlohmann::json json = nlohmann::json::parse(summary);
    result.complete = json.at("complete").get<bool>();
    result.reasons = json.value("reasons", nlohmann::json::array()).dump();
    result.runs = json.at("executions").get<std::uint64_t>();
    std::ifstream list(base + ".txt");
    for (std::string line; std::getline(list, line);) ++result.behaviours[line];
  }

  EngineOptions engine_;
  std::string strategy_;
  std::atomic<std::uint64_t> runs_ = 0;
  std::atomic<std::uint64_t> interleavings_ = 0;
};

void report(Comparison& comparison, std::uint64_t seed, const Program& program, unsigned worker, std::mutex& output) {
  std::string why;
  const Program smallest = shrink(program, [&](const Program& smaller) {
    return comparison.compare(smaller, worker, why) == Comparison::Result::disagree;
  });
  comparison.compare(smallest, worker, why);
  const std::lock_guard guard(output);
  fmt::print("the program of seed {} disagrees:\n    {}\n{}  again: --program '{}'\n", seed,
             to_text(smallest, "\n    | "), why, to_text(smallest));
  std::fflush(stdout);
}

}  // namespace

bool run_comparison(const EngineOptions& engine, const std::string& strategy, const CampaignOptions& options) {
  Comparison comparison(engine, strategy);
  std::atomic<unsigned> next = 0;
  std::atomic<unsigned> failures = 0;
  std::atomic<unsigned> skipped = 0;
  std::mutex output;
  const auto work = [&](unsigned worker) {
    for (unsigned i = next++; i < options.count && failures < options.max_failures; i = next++) {
      const FittedProgram fitted = fitted_program(options.seed + i, options.max_interleavings);
      std::string why;
      const auto result = comparison.compare(fitted.program, worker, why);
      if (result == Comparison::Result::skipped) ++skipped;
      if (result != Comparison::Result::disagree) continue;
      ++failures;
      report(comparison, options.seed + i, fitted.program, worker, output);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < options.jobs; ++worker) workers.emplace_back(work, worker);
  }
  const unsigned compared = std::min(next.load(), options.count) - skipped;
  fmt::print("{} programs compared ({} skipped), {} disagree; {} runs instead of {}\n", compared, skipped.load(),
             failures.load(), comparison.runs(), comparison.interleavings());
  return failures == 0 && compared >= options.at_least && skipped <= options.count * max_skipped_share;
}

bool compare_one(const EngineOptions& engine, const std::string& strategy, const Program& program) {
  Comparison comparison(engine, strategy);
  std::string why;
  const auto result = comparison.compare(program, 0, why);
  fmt::print("{}\n{} runs instead of {}\n{}{}\n", to_text(program, "\n| "), comparison.runs(),
             comparison.interleavings(), why, result == Comparison::Result::agree ? "they agree" : "they disagree");
  return result == Comparison::Result::agree;
}

}  // namespace random_programs
