#include "subject.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "process.hpp"

namespace random_programs {
namespace {

using Kind = Observation::Kind;
using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto engine_time_limit = 120s;

/// When a native run is taken to be stuck: soon if it may be, late if that would be an error (the machine may be busy).
constexpr auto native_patience = 250ms;
constexpr auto native_time_limit = 10s;

/// A directory of its own under the temporary directory, removed at the end.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "random_programs.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create a temporary directory");
    path_ = name;
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string file(std::string_view name, unsigned worker) const {
    return (path_ / fmt::format("{}.{}", name, worker)).string();
  }

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string without_newline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// What a run printed before it failed does not matter.
std::string outcome_of(const std::string& status, const std::string& output) {
  if (status == "ok") return without_newline(output);
  if (status == "livelock") return deadlock_outcome;
  if (status == deadlock_outcome || status == assertion_outcome) return status;
  return fmt::format("{}: {}", status, without_newline(output));
}

class Engine : public Subject {
 public:
  explicit Engine(EngineOptions options) : options_(std::move(options)) {}

  Observation observe(const Program& program, const Reference&, unsigned worker) override {
    const std::string summary_file = scratch_.file("summary", worker);
    const std::string outcomes_file = scratch_.file("outcomes", worker);
    const std::string error_file = scratch_.file("stderr", worker);
    std::filesystem::remove(summary_file);
    std::filesystem::remove(outcomes_file);
    const ProcessResult run = run_process(command(program, summary_file, outcomes_file), engine_time_limit, error_file);
    const auto error = [&](std::string_view what) {
      return Observation{Kind::Error, {}, fmt::format("{}\n{}{}", what, run.output, read_text(error_file))};
    };
    if (!run.started) return error(fmt::format("cannot run {}", options_.norn));
    if (run.timed_out) return error("norn did not end in time");
    if (run.exit_code != 0 && run.exit_code != 1 && run.exit_code != 3)
      return error(fmt::format("norn ended with code {} signal {}", run.exit_code, run.signal));
    try {
      return read_results(json::parse(read_text(summary_file)), read_outcomes(outcomes_file));
    } catch (const json::exception& wrong) {
      return error(fmt::format("unusable output of norn: {}", wrong.what()));
    }
  }

 private:
  std::vector<std::string> command(const Program& program, const std::string& summary_file,
                                   const std::string& outcomes_file) const {
    std::vector<std::string> words = {options_.norn,
                                      "check",
                                      options_.interpreter,
                                      "--strategy",
                                      options_.strategy,
                                      "--keep-going",
                                      "--races",
                                      "ignore",
                                      "--quiet",
                                      "--max-executions",
                                      std::to_string(options_.max_executions),
                                      "--json",
                                      summary_file,
                                      "--outcomes",
                                      outcomes_file};
    std::istringstream extra(options_.extra);
    for (std::string word; extra >> word;) words.push_back(word);
    words.insert(words.end(), {"--", to_text(program)});
    return words;
  }

  static Observation read_results(const json& summary, Outcomes outcomes) {
    Observation observation{Kind::Complete, std::move(outcomes), ""};
    if (!summary.at("complete").get<bool>()) {
      observation.kind = Kind::Incomplete;
      observation.message = summary.value("reasons", json::array()).dump();
    }
    return observation;
  }

  EngineOptions options_;
  ScratchDirectory scratch_;
};

class Native : public Subject {
 public:
  Native(std::string interpreter, unsigned runs) : interpreter_(std::move(interpreter)), runs_(runs) {}

  bool is_exhaustive() const override { return false; }

  Observation observe(const Program& program, const Reference& reference, unsigned) override {
    const bool may_deadlock = reference.outcomes.contains(deadlock_outcome);
    const std::chrono::milliseconds limit = may_deadlock ? native_patience : native_time_limit;
    Observation observation;
    for (unsigned jitter = 1; jitter <= runs_; ++jitter) {
      const ProcessResult run = run_process({interpreter_, to_text(program), std::to_string(jitter)}, limit);
      if (!run.started) return {Kind::Error, {}, "cannot run " + interpreter_};
      observation.outcomes.insert(outcome_of_run(run));
      if (run.timed_out) break;  // a deadlock costs the whole time limit: one is enough
    }
    return observation;
  }

 private:
  static std::string outcome_of_run(const ProcessResult& run) {
    if (run.timed_out) return deadlock_outcome;
    if (run.signal == SIGABRT) return assertion_outcome;
    const bool good = run.exit_code == 0;
    return outcome_of(good ? "ok" : fmt::format("exit {} signal {}", run.exit_code, run.signal), run.output);
  }

  std::string interpreter_;
  unsigned runs_;
};

class Model : public Subject {
 public:
  Observation observe(const Program&, const Reference& reference, unsigned) override {
    return {Kind::Complete, reference.outcomes, ""};
  }
};

}  // namespace

Outcomes read_outcomes(const std::string& file) {
  Outcomes outcomes;
  for (const json& outcome : json::parse(read_text(file)))
    outcomes.insert(outcome_of(outcome.at("status"), outcome.at("output")));
  return outcomes;
}

std::unique_ptr<Subject> make_engine(EngineOptions options) { return std::make_unique<Engine>(std::move(options)); }

std::unique_ptr<Subject> make_native(std::string interpreter, unsigned runs) {
  return std::make_unique<Native>(std::move(interpreter), runs);
}

std::unique_ptr<Subject> make_model() { return std::make_unique<Model>(); }

}  // namespace random_programs
