#include "cli/noise.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "cli/interrupts.hpp"
#include "explore/coverage/saturation.hpp"
#include "report/coverage.hpp"
#include "report/style.hpp"
#include "support/error.hpp"
#include "support/noise_log.hpp"

namespace norn {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A log in memory that the program can be given.
class SharedLog {
 public:
  SharedLog() : descriptor_(memfd_create("norn-noise", 0)) {
    void* memory = MAP_FAILED;
    if (descriptor_ >= 0 && ftruncate(descriptor_, sizeof(NoiseLog)) == 0)
      memory = mmap(nullptr, sizeof(NoiseLog), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) throw InputError("there is not enough memory for what a noisy run writes down");
    log_ = static_cast<NoiseLog*>(memory);  // all zero, and most of it is never touched
  }
  ~SharedLog() {
    munmap(log_, sizeof(NoiseLog));
    close(descriptor_);
  }
  SharedLog(const SharedLog&) = delete;
  SharedLog& operator=(const SharedLog&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  NoiseLog& operator*() { return *log_; }
  [[nodiscard]] std::uint64_t size() const { return std::min<std::uint64_t>(log_->count, NoiseLog::most); }
  [[nodiscard]] bool is_cut() const { return log_->count > NoiseLog::most; }
  void clear() {
    for (std::uint64_t i = 0; i < size(); ++i) log_->entries[i].done = 0;
    log_->count = 0;
  }

 private:
  int descriptor_;
  NoiseLog* log_ = nullptr;
};

class NoisyRuns {
 public:
  NoisyRuns(const Program& program, const Options& options, const Noise& noise, ProgressLine& line)
      : program_(program), options_(options), noise_(noise), line_(line) {}

  void run(Report& report) {
    const std::uint64_t limit = run_limit();
    const std::size_t window = coverage::saturation_window(options_);
    std::string reason = fmt::format("stopped after {} (--max-executions)", plural(limit, "execution"));
    while (report.executions < limit) {
      log_.clear();
      const int status = run_once(report.executions);
      if (Interrupts::count() != 0) {
        reason = "interrupted";
        break;
      }
      ++report.executions;
      cover(report.executions);
      const bool is_bug = note_end(status, report);
      show_progress(report, limit);
      if (is_bug && !options_.keep_going) {
        reason = "stopped at the first bug (--keep-going goes on)";
        break;
      }
      if (options_.max_seconds != 0 && seconds_since(start_) >= options_.max_seconds) {
        reason = fmt::format("stopped after {} (--max-seconds)", plural(options_.max_seconds, "second"));
        break;
      }
      if (coverage::is_saturated(covered_, window, options_.saturation_threshold)) {
        reason = fmt::format("coverage grew no more in the last {} (--saturation)", plural(window, "run"));
        break;
      }
    }
    line_.clear();
    report.reasons.push_back(reason);
    report.reasons.emplace_back(
        "strategy noise does not control threads; it cannot be complete, and its runs cannot be replayed");
    if (hangs_ != 0)
      report.reasons.push_back(
          fmt::format("{} did not end within {} seconds (a deadlock?) and {} killed: raise --max-run-seconds, or use "
                      "another strategy",
                      plural(hangs_, "run"), options_.max_run_seconds, hangs_ == 1 ? "was" : "were"));
    if (cut_ != 0)
      report.reasons.push_back(
          fmt::format("{} took more than {} locks, and only so many are counted", plural(cut_, "run"), NoiseLog::most));
    report.seconds = seconds_since(start_);
    report.guarantee =
        fmt::format("{} {} covered", plural(pairs_.size(), "sync pair"), pairs_.size() == 1 ? "is" : "are");
    report.coverage = coverage_json();
  }

 private:
  /// No more often than anybody can follow.
  void show_progress(const Report& report, std::uint64_t limit) {
    constexpr double pause = 0.25;
    if (!line_.is_on() || seconds_since(shown_) < pause) return;
    shown_ = Clock::now();
    json progress = {{"executions", report.executions}, {"behaviours", -1}, {"bugs", report.bugs.size()}};
    if (limit != UINT64_MAX) progress["estimate"] = {{"executions", limit}, {"low", limit}, {"high", limit}};
    line_.show(progress);
  }

  [[nodiscard]] std::uint64_t run_limit() const {
    constexpr std::uint64_t usual = 1'000;
    if (options_.max_executions != 0) return options_.max_executions;
    return options_.max_seconds != 0 ? UINT64_MAX : usual;
  }

  /// The status of the process, as waitpid gives it; -1 if it had to be killed.
  int run_once(std::uint64_t number) {
    const std::string setting = fmt::format("{} {} {} {}", noise_.kind, noise_.probability,
                                            options_.seed + number * 1'000'003, log_.descriptor());
    const pid_t child = start_uncontrolled(program_, {{noise_variable, setting}});
    const Clock::time_point start = Clock::now();
    const double most = options_.max_run_seconds == 0 ? most_seconds : options_.max_run_seconds;
    for (useconds_t pause = 50;; pause = std::min<useconds_t>(pause * 2, 2'000)) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) return status;
      if (seconds_since(start) > most || Interrupts::count() != 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return -1;
      }
      usleep(pause);
    }
  }

  /// The line at which a lock was taken.
  const std::string& line_of(const NoiseLog::Entry& entry) {
    Frames frames(std::begin(entry.frames), std::find(std::begin(entry.frames), std::end(entry.frames), 0));
    const auto [known, is_new] = lines_.try_emplace(std::move(frames));
    if (is_new) {
      if (!names_) names_ = std::make_unique<Names>(json::parse((*log_).modules, nullptr, false));
      known->second = names_->place(known->first, entry.frames[0]).text();
    }
    return known->second;
  }

  void cover(std::uint64_t run) {
    std::map<std::uint64_t, std::string> last;
    cut_ += log_.is_cut() ? 1 : 0;
    for (std::uint64_t i = 0; i < log_.size(); ++i) {
      const NoiseLog::Entry& entry = (*log_).entries[i];
      if (entry.done == 0) continue;  // the process ended before it was written
      const std::string& line = line_of(entry);
      const auto [before, is_first] = last.try_emplace(entry.lock, line);
      if (is_first) continue;
      Covered& covered = pairs_[{before->second, line}];
      if (covered.in == 0) covered.in = run;
      if (std::exchange(covered.last, run) != run) ++covered.executions;
      before->second = line;
    }
    covered_.push_back(static_cast<double>(pairs_.size()));
    times_.push_back(seconds_since(start_));
  }

  /// Whether the run ended with a bug.
  bool note_end(int status, Report& report) {
    if (status == -1) return ++hangs_, false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
    ReportedBug bug;
    bug.thread = "main";
    if (WIFSIGNALED(status)) {
      bug.kind = WTERMSIG(status) == SIGABRT ? "abort" : "crash";
      bug.message =
          fmt::format("the process was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
      bug.kind = "exit";
      bug.message = fmt::format("the program ended with exit code {}", WEXITSTATUS(status));
    }
    for (ReportedBug& known : report.bugs)
      if (known.message == bug.message) return ++known.count, true;
    bug.count = 1;
    report.bugs.push_back(std::move(bug));
    return true;
  }

  [[nodiscard]] json coverage_json() const {
    json requirements = json::array();
    for (const auto& [pair, covered] : pairs_)
      requirements.push_back({{"first", pair.first},
                              {"second", pair.second},
                              {"estimated", false},
                              {"covered", true},
                              {"covered_in", covered.in},
                              {"executions", covered.executions}});
    json curve = json::array();
    for (std::size_t i = 0; i < covered_.size(); ++i)
      if (i == 0 || i + 1 == covered_.size() || covered_[i] != covered_[i - 1])
        curve.push_back({i + 1, covered_[i], times_[i]});
    return {{"criterion", "sync-pairs"},
            {"estimated", 0},
            {"covered", pairs_.size()},
            {"uncovered", 0},
            {"infeasible", 0},
            {"found_later", pairs_.size()},
            {"rules", {0, 0, 0}},
            {"requirements", requirements},
            {"curve", curve}};
  }

  struct Covered {
    std::uint64_t in = 0;
    std::uint64_t last = 0;
    std::uint64_t executions = 0;
  };

  const Program& program_;
  const Options& options_;
  const Noise& noise_;
  ProgressLine& line_;
  SharedLog log_;
  std::unique_ptr<Names> names_;
  using Frames = std::vector<std::uint64_t>;
  std::map<Frames, std::string> lines_;
  std::map<LinePair, Covered> pairs_;
  std::vector<double> covered_;
  std::vector<double> times_;
  std::uint64_t hangs_ = 0;
  std::uint64_t cut_ = 0;  ///< runs that took more locks than can be noted
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;  ///< when the user was told last
};

}  // namespace

Report run_with_noise(const std::string& name, const Program& program, const Options& options, const Noise& noise,
                      ProgressLine& line) {
  if (options.criterion != "sync-pairs") throw InputError("strategy noise measures sync-pairs only");
  if (options.jobs > 1) throw InputError("strategy noise needs --jobs 1");
  Report report;
  report.program = name;
  report.strategy = options.strategy;
  const Interrupts interrupts;
  NoisyRuns(program, options, noise, line).run(report);
  return report;
}

}  // namespace norn
