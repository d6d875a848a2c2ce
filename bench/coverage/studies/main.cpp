// Reproduces the studies of the paper on synchronization coverage; see bench/coverage/studies.sh.

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <thread>

#include "circumstances.hpp"
#include "study.hpp"

namespace {

using namespace studies;
namespace fs = std::filesystem;

std::vector<Measured> cover(const std::string& norn, const std::string& program, const Scale& scale,
                            const std::vector<std::string>& options) {
  std::vector<Task> tasks;
  for (unsigned i = 0; i < scale.repetitions; ++i) {
    tasks.push_back({program, {"--strategy", "coverage", "--seed", std::to_string(i + 1)}});
    tasks.back().options.insert(tasks.back().options.end(), options.begin(), options.end());
  }
  return measure_all(norn, tasks, 1);
}

Subject study(const std::string& norn, const fs::path& program, const Scale& scale) {
  const std::string runs = std::to_string(scale.runs);
  const std::vector<std::string> saturation{"--saturation", std::to_string(scale.window), "--max-seconds",
                                            fmt::format("{}", scale.saturation_seconds)};
  const auto with = [](std::vector<std::string> options, const std::string& more) {
    options.push_back(more);
    return options;
  };
  Subject subject;
  subject.name = program.stem().string();
  subject.coverage = cover(norn, program.string(), scale, {"--max-executions", runs});
  subject.with_happens_before = cover(norn, program.string(), scale, {"--max-executions", runs, "--happens-before"});
  subject.saturated = cover(norn, program.string(), scale, saturation);
  subject.saturated_without_rule_3 = cover(norn, program.string(), scale, with(saturation, "--without-rule-3"));
  return subject;
}

/// One kind of noise in all subjects.
void make_noise(const std::string& norn, const std::string& kind, double seconds, const std::vector<fs::path>& programs,
                const Scale& scale, unsigned at_a_time, std::vector<Subject>& subjects) {
  std::vector<Task> tasks;
  for (const fs::path& program : programs)
    for (const std::string& probability : scale.probabilities)
      tasks.push_back({program.string(),
                       {"--strategy", "noise", "--noise", kind, "--probability", probability, "--max-executions",
                        std::to_string(scale.runs), "--max-seconds", fmt::format("{}", seconds)}});
  const std::vector<Measured> all = measure_all(norn, tasks, at_a_time);
  for (std::size_t i = 0; i < all.size(); ++i) subjects[i / scale.probabilities.size()].noise[kind].push_back(all[i]);
}

/// Threads that give way are never idle, so there are only as many programs at a time as there are processors. Those
/// that sleep do so most of the time: none of them has to wait for others.
void make_all_noise(const std::string& norn, const std::vector<fs::path>& programs, const Scale& scale,
                    std::vector<Subject>& subjects) {
  const auto everything = static_cast<unsigned>(programs.size() * scale.probabilities.size());
  fmt::print(stderr, "yield\n");
  make_noise(norn, "yield", scale.yield_seconds, programs, scale, std::thread::hardware_concurrency(), subjects);
  fmt::print(stderr, "sleep10, sleep100\n");
  std::vector<Subject> others(subjects.size());
  std::exception_ptr problem;
  std::thread beside([&] {
    try {
      make_noise(norn, "sleep100", scale.sleep_seconds, programs, scale, everything, others);
    } catch (...) {
      problem = std::current_exception();
    }
  });
  try {
    make_noise(norn, "sleep10", scale.sleep_seconds, programs, scale, everything, subjects);
  } catch (...) {
    problem = std::current_exception();
  }
  beside.join();
  if (problem) std::rethrow_exception(problem);
  for (std::size_t i = 0; i < subjects.size(); ++i) subjects[i].noise["sleep100"] = others[i].noise["sleep100"];
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file);
  if (!(stream << text << std::flush)) throw std::runtime_error("cannot write " + file.string());
}

void run(const std::string& norn, const fs::path& output, const Scale& scale, const std::vector<fs::path>& programs) {
  const Circumstances circumstances;
  std::vector<Subject> subjects;
  for (const fs::path& program : programs) {
    fmt::print(stderr, "{}\n", program.stem().string());
    subjects.push_back(study(norn, program, scale));
  }
  make_all_noise(norn, programs, scale, subjects);
  fs::create_directories(output / "coverage");
  write(output / "coverage-studies.md", tables(subjects, scale, circumstances.text()));
  const std::vector<Plot> runs = by_runs(subjects, scale);
  write(output / "coverage/runs.svg", to_svg(runs, "runs", false));
  write(output / "coverage/runs.dat", to_data(runs, "runs"));
  const std::vector<Plot> time = by_time(subjects);
  write(output / "coverage/time.svg", to_svg(time, "seconds", true));
  write(output / "coverage/time.dat", to_data(time, "seconds"));
}

}  // namespace

int main(int argc, char** argv) {
  Scale scale;
  int first = 1;
  if (argc > 1 && std::strcmp(argv[1], "--quick") == 0) {
    scale = {40, 2, {"0.5"}, 1, 1, 1, 20};
    ++first;
  }
  if (argc < first + 3) {
    fmt::print(stderr, "usage: {} [--quick] NORN OUTPUT PROGRAM...\n", argv[0]);
    return 2;
  }
  try {
    run(argv[first], argv[first + 1], scale, {argv + first + 2, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "studies: {}\n", error.what());
    return 1;
  }
}
