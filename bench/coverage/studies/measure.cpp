#include "measure.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "explore/coverage/saturation.hpp"

namespace studies {
namespace {

using nlohmann::json;

/// A file that is removed with the object.
class TemporaryFile {
 public:
  TemporaryFile() : name_((std::filesystem::temp_directory_path() / "norn-study-XXXXXX").string()) {
    const int descriptor = mkstemp(name_.data());
    if (descriptor < 0) throw std::runtime_error("cannot make a temporary file");
    close(descriptor);
  }
  ~TemporaryFile() { std::filesystem::remove(name_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

int run(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = vfork();
  if (child == 0) {
    execv(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Measured from_summary(const json& coverage) {
  Measured measured;
  for (const json& point : coverage.at("curve")) measured.curve.push_back({point.at(0), point.at(1), point.at(2)});
  for (const json& one : coverage.at("requirements")) {
    const LinePair pair{one.at("first"), one.at("second")};
    if (one.at("estimated")) measured.estimated.insert(pair);
    if (one.at("covered")) measured.covered.insert(pair);
  }
  for (std::size_t i = 0; i < measured.rules.size(); ++i) measured.rules[i] = coverage.at("rules").at(i);
  return measured;
}

}  // namespace

double Measured::covered_after(double run) const {
  double amount = 0;
  for (const Point& point : curve)
    if (point.run <= run) amount = point.covered;
  return amount;
}

double Measured::covered_within(double seconds) const {
  double amount = 0;
  for (const Point& point : curve)
    if (point.seconds <= seconds) amount = point.covered;
  return amount;
}

double Measured::seconds_at(double run) const {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].run < run) continue;
    const Point before = i == 0 ? Point{} : curve[i - 1];
    const double share = curve[i].run == before.run ? 1 : (run - before.run) / (curve[i].run - before.run);
    return before.seconds + share * (curve[i].seconds - before.seconds);
  }
  return curve.empty() ? 0 : curve.back().seconds;
}

std::optional<Point> Measured::saturation(std::size_t window) const {
  constexpr double threshold = 0.1;
  std::vector<double> amounts;
  std::size_t next = 0;
  for (double run = 1; run <= runs(); ++run) {
    amounts.push_back(amounts.empty() ? 0 : amounts.back());
    for (; next < curve.size() && curve[next].run <= run; ++next) amounts.back() = curve[next].covered;
    if (norn::coverage::is_saturated(amounts, window, threshold)) return Point{run, amounts.back(), seconds_at(run)};
  }
  return {};
}

Measured measure(const std::string& norn, const Task& task) {
  const TemporaryFile summary;
  std::vector<std::string> command{norn, "check", task.program, "--quiet", "--json", summary.name()};
  command.insert(command.end(), task.options.begin(), task.options.end());
  constexpr int incomplete = 3;
  const int code = run(command);
  if (code != incomplete) {
    std::string text;
    for (const std::string& word : command) text += " " + word;
    throw std::runtime_error("exit code " + std::to_string(code) + " of" + text);
  }
  std::ifstream stream(summary.name());
  return from_summary(json::parse(stream).at("coverage"));
}

std::vector<Measured> measure_all(const std::string& norn, const std::vector<Task>& tasks, unsigned at_a_time) {
  std::vector<Measured> results(tasks.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::string problem;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        results[i] = measure(norn, tasks[i]);
      } catch (const std::exception& error) {
        const std::lock_guard lock(mutex);
        problem = error.what();
        next = tasks.size();
      }
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < at_a_time; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (!problem.empty()) throw std::runtime_error(problem);
  return results;
}

}  // namespace studies
