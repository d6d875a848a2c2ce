#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/names.hpp"
#include "support/options.hpp"

namespace norn {

/// One event of a failing run, for a person to read.
struct ReportedEvent {
  std::string thread;
  std::string operation;
  std::string alternative;
  std::string object;
  Place place;
};

struct ReportedWait {
  std::string thread;
  std::string operation;
  std::string object;
  std::string holder;
  Place place;
};

/// How the schedule of a bug was made simpler: from what, in how many runs, and whether every schedule with fewer
/// preemptions was tried.
struct Minimisation {
  std::uint64_t runs = 0;
  std::size_t from_events = 0;
  unsigned from_preemptions = 0;
  bool complete = false;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Minimisation, runs, from_events, from_preemptions, complete)

struct ReportedBug {
  std::string kind;
  std::string message;
  std::string thread;
  Place place;
  std::uint64_t count = 1;
  unsigned preemptions = 0;
  std::optional<Minimisation> minimised;
  bool reproduced = true;
  std::vector<Place> stack;
  std::vector<ReportedEvent> events;
  std::vector<ReportedWait> waits;
  std::string output;
  std::string trace;  ///< path of the replay file; empty if there is none
};

/// What an exploration found, with all addresses named.
struct Report {
  std::string program;
  std::string strategy;
  std::string guarantee;
  bool complete = false;
  std::vector<std::string> reasons;
  std::uint64_t executions = 0;
  std::int64_t distinct = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t events = 0;
  unsigned threads_max = 0;
  double seconds = 0;
  std::uint64_t peak_memory = 0;
  std::vector<ReportedBug> bugs;

  [[nodiscard]] std::string verdict() const { return !bugs.empty() ? "bug" : complete ? "pass" : "incomplete"; }
  /// As the contract of the command line says.
  [[nodiscard]] int exit_code() const { return !bugs.empty() ? 1 : complete ? 0 : 3; }
};

/// From what the runtime sent.
Report make_report(const std::string& program, const nlohmann::json& sent);

/// The summary file.
nlohmann::json to_json(const Report& report);

struct TextStyle {
  bool color = false;
};

/// What a person sees; ends with a line break.
std::string to_text(const Report& report, const TextStyle& style);

}  // namespace norn
