#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/bug.hpp"
#include "report/control.hpp"
#include "report/style.hpp"
#include "support/options.hpp"

namespace norn {

/// How much there is to explore, as far as can be said (explore/estimate.hpp).
struct ReportedEstimate {
  double explored = 0;  ///< from 0 to 1
  double executions = 0;
  double low = 0;
  double high = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ReportedEstimate, explored, executions, low, high)

/// What an exploration found, with all addresses named.
struct Report {
  std::string program;
  std::string strategy;
  std::string strategy_used = {};  ///< that did the work; empty if it is the same
  std::string guarantee;
  bool complete = false;
  std::vector<std::string> reasons;
  std::optional<ReportedEstimate> estimate;  ///< of the whole, if only a part was explored
  std::vector<std::string> assumptions;      ///< what was not looked at, so that a pass depends on it
  std::uint64_t executions = 0;
  std::uint64_t partial_runs = 0;
  std::int64_t distinct = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t events = 0;
  unsigned threads_max = 0;
  double seconds = 0;
  std::uint64_t peak_memory = 0;
  std::vector<ReportedBug> bugs;
  std::vector<ReportedBug> races;  ///< that are only reported (--races report)
  std::vector<ReportedWarning> warnings;
  std::optional<ReportedControl> control;
  std::string checkpoint;          ///< the file that holds what it takes to go on; empty if there is none
  std::string checkpoint_problem;  ///< why it does not hold the last of it
  std::string resume_command;      ///< that goes on, if there is anything left
  nlohmann::json race_tables = nlohmann::json::object();  ///< how large those of reachability testing were
  nlohmann::json coverage = nlohmann::json::object();     ///< what strategies that look at it covered
  nlohmann::json sequences;  ///< for a page: what the strategy derived from what (report/sequences.hpp)

  [[nodiscard]] std::string verdict() const { return !bugs.empty() ? "bug" : complete ? "pass" : "incomplete"; }
  /// As the contract of the command line says.
  [[nodiscard]] int exit_code() const { return !bugs.empty() ? 1 : complete ? 0 : 3; }
};

/// From what the runtime sent. Keys that are not there have their defaults: the runtime may be of another version.
Report make_report(const std::string& program, const nlohmann::json& sent);

/// The summary file.
nlohmann::json to_json(const Report& report);

/// What a person sees; ends with a line break.
std::string to_text(const Report& report, const TextStyle& style);

/// The same for one run alone.
std::string to_text(const ReportedBug& run, const TextStyle& style);

}  // namespace norn
