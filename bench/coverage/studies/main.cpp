// Reproduces the studies of the paper on synchronization coverage; see bench/coverage/studies.sh.

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>

#include "study.hpp"

namespace {

using namespace studies;
namespace fs = std::filesystem;

/// Noise sleeps most of the time, so several variants of it do not disturb each other.
constexpr unsigned noises_at_a_time = 9;

std::vector<Measured> cover(const std::string& norn, const std::string& program, const Scale& scale,
                            const std::vector<std::string>& more) {
  std::vector<Task> tasks;
  for (unsigned i = 0; i < scale.repetitions; ++i) {
    tasks.push_back(
        {program,
         {"--strategy", "coverage", "--max-executions", std::to_string(scale.runs), "--seed", std::to_string(i + 1)}});
    tasks.back().options.insert(tasks.back().options.end(), more.begin(), more.end());
  }
  return measure_all(norn, tasks, 1);
}

Subject study(const std::string& norn, const fs::path& program, const Scale& scale) {
  Subject subject{program.stem().string(), {}, {}, {}, {}};
  subject.coverage = cover(norn, program.string(), scale, {});
  subject.with_happens_before = cover(norn, program.string(), scale, {"--happens-before"});
  subject.without_rule_3 = cover(norn, program.string(), scale, {"--without-rule-3"});
  std::vector<Task> tasks;
  for (const std::string& kind : noises)
    for (const std::string& probability : scale.probabilities)
      tasks.push_back({program.string(),
                       {"--strategy", "noise", "--noise", kind, "--probability", probability, "--max-executions",
                        std::to_string(scale.runs), "--max-seconds", fmt::format("{}", scale.noise_seconds)}});
  const std::vector<Measured> all = measure_all(norn, tasks, noises_at_a_time);
  for (std::size_t i = 0; i < all.size(); ++i) subject.noise[noises[i / scale.probabilities.size()]].push_back(all[i]);
  return subject;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file);
  if (!(stream << text << std::flush)) throw std::runtime_error("cannot write " + file.string());
}

void run(const std::string& norn, const fs::path& output, const Scale& scale, const std::vector<fs::path>& programs) {
  std::vector<Subject> subjects;
  for (const fs::path& program : programs) {
    fmt::print(stderr, "{}\n", program.stem().string());
    subjects.push_back(study(norn, program, scale));
  }
  fs::create_directories(output / "coverage");
  write(output / "coverage-studies.md", tables(subjects, scale));
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
    scale = {40, 2, {"0.5"}, 1, 20};
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
