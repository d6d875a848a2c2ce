#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"
#include "report/style.hpp"

namespace norn {

/// What is about to be explored.
struct ReportedExploration {
  std::string program;
  std::vector<std::string> command;  ///< the words of the command line
  std::filesystem::path directory;   ///< where relative names of files begin
  std::filesystem::path root;        ///< of the sources, as readers of a report see them
  std::chrono::system_clock::time_point begin;
};

/// Listens to an exploration and reports about it. Whatever Norn says of an exploration, to whomever, is said by one of
/// these; they are peers, and none knows of another.
class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  virtual void exploration_started(const ReportedExploration& /*exploration*/) {}
  virtual void bug_found(const ReportedBug& /*bug*/) {}
  /// A data race that is only to be reported.
  virtual void race_found(const ReportedBug& /*race*/) {}
  virtual void warning_found(const ReportedWarning& /*warning*/) {}
  /// The report has everything in it that was found.
  virtual void exploration_ended(const Report& report) = 0;
};

/// Where a report goes.
using Output = std::function<void(const std::string& text)>;

struct ReporterInfo {
  std::string_view name;
  std::string_view help;  ///< of the option --NAME FILE; empty if the report goes to standard output
  std::unique_ptr<Reporter> (*make)(Output output, const TextStyle& style);
};

/// All reporters there are.
std::span<const ReporterInfo> reporters();

/// Tells several reporters the same.
class Reporters {
 public:
  void add(std::unique_ptr<Reporter> reporter) { list_.push_back(std::move(reporter)); }
  void started(const ReportedExploration& exploration);
  void ended(const Report& report);

 private:
  std::vector<std::unique_ptr<Reporter>> list_;
};

}  // namespace norn
