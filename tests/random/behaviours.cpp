#include "behaviours.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "process.hpp"

namespace random_programs {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> command_line(const EngineOptions& engine, const Program& program, const std::string& strategy,
                                      const std::string& base, std::optional<unsigned> bound) {
  std::vector<std::string> words = {engine.norn,
                                    "check",
                                    engine.interpreter,
                                    "--strategy",
                                    strategy,
                                    "--races",
                                    "ignore",
                                    "--minimise",
                                    "0",
                                    "--quiet",
                                    "--max-executions",
                                    std::to_string(engine.max_executions),
                                    "--json",
                                    base + ".json",
                                    "--list-behaviours",
                                    base + ".txt",
                                    "--outcomes",
                                    base + ".outcomes"};
  if (engine.keeps_going) words.push_back("--keep-going");
  if (bound) words.insert(words.end(), {"--preemptions", std::to_string(*bound)});
  std::istringstream extra(engine.extra);
  for (std::string word; extra >> word;) words.push_back(word);
  words.insert(words.end(), {"--", to_text(program)});
  return words;
}

/// A line is how the run ended, the number of its behaviour, and its preemptions if they are known.
void add(Behaviours& behaviours, const std::string& line) {
  std::istringstream words(line);
  std::string status;
  std::string number;
  if (!(words >> status >> number)) return;
  Seen& seen = behaviours[status + " " + number];
  ++seen.count;
  unsigned preemptions = 0;
  if (words >> preemptions) seen.preemptions = std::min(seen.preemptions, preemptions);
}

void read(const std::string& base, Exploration& result) {
  std::ifstream summary(base + ".json");
  const nlohmann::json json = nlohmann::json::parse(summary);
  const nlohmann::json reasons = json.value("reasons", nlohmann::json::array());
  result.has_bugs = json.at("verdict") == "bug";
  result.complete = json.at("complete").get<bool>();
  result.reasons = reasons.dump();
  result.only_bounded = reasons.size() == 1 && result.reasons.find("(--preemptions)") != std::string::npos;
  result.runs = json.at("executions").get<std::uint64_t>();
  result.partial_runs = json.at("partial_runs").get<std::uint64_t>();
  result.is_handed_over = json.value("guarantee", "").find("handed the program over") != std::string::npos;
  std::ifstream list(base + ".txt");
  for (std::string line; std::getline(list, line);) add(result.behaviours, line);
  result.outcomes = read_outcomes(base + ".outcomes");
}

}  // namespace

Exploration explore_behaviours(const EngineOptions& engine, const Program& program, const std::string& strategy,
                               unsigned worker, std::optional<unsigned> bound) {
  const std::string base =
      (std::filesystem::temp_directory_path() / fmt::format("norn-compare.{}.{}", getpid(), worker)).string();
  // The machine may be busy.
  constexpr auto time_limit = 600s;
  const ProcessResult run =
      run_process(command_line(engine, program, strategy, base, bound), time_limit, base + ".err");
  Exploration result;
  if (run.timed_out) {
    result.error = fmt::format("  norn --strategy {} did not end within {} seconds\n", strategy, time_limit.count());
  } else if (run.exit_code != 0 && run.exit_code != 1 && run.exit_code != 3) {
    std::ifstream file(base + ".err");
    result.error = fmt::format("  norn --strategy {} ended with code {} signal {}\n{}\n", strategy, run.exit_code,
                               run.signal, std::string{std::istreambuf_iterator<char>(file), {}});
  } else {
    read(base, result);
  }
  for (const char* suffix : {".json", ".txt", ".outcomes", ".err"}) std::filesystem::remove(base + suffix);
  return result;
}

std::string difference(const Behaviours& all, const Behaviours& once) {
  unsigned missing = 0;
  unsigned twice = 0;
  unsigned unknown = 0;
  for (const auto& [behaviour, seen] : all) missing += once.contains(behaviour) ? 0 : 1;
  for (const auto& [behaviour, seen] : once) {
    twice += seen.count - 1;
    unknown += all.contains(behaviour) ? 0 : 1;
  }
  if (missing + twice + unknown == 0) return {};
  return fmt::format("  of {} behaviours, {} are missing, {} came again, {} are unknown to the exhaustive strategy\n",
                     all.size(), missing, twice, unknown);
}

}  // namespace random_programs
