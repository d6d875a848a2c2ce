#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/lock_order.hpp"
#include "explore/bug.hpp"
#include "explore/race_tables.hpp"

namespace norn {

/// How runs can end for the program's users: by status and by what was printed.
using Outcomes = std::map<std::pair<std::string, std::string>, std::uint64_t>;

/// What runs have shown. What several processes found can be put together.
struct Findings {
  std::uint64_t executions = 0;
  std::uint64_t partial_runs = 0;  ///< given up, because they could only repeat what other runs show
  std::uint64_t deadlocks = 0;
  std::uint64_t events = 0;
  std::uint32_t threads_max = 0;
  std::uint64_t operations = 0;       ///< kinds that were seen: bit `1 << op` for each
  std::map<End, std::uint64_t> cuts;  ///< runs that were cut, and why
  bool exhausts = true;               ///< running out of prefixes means that every behaviour has been seen
  std::string leaves_out;             ///< what the strategy passed over, in words
  std::string unsuitable;             ///< why the strategy may miss something, as far as the runs show
  std::string meant_for;              ///< the strategy that `auto` would have gone on with; empty: the one at work
  std::string guarantee;
  std::string finished;  ///< why nothing is left to run, if the strategy says so
  std::string coverage;  ///< Strategy::coverage
  std::vector<Bug> bugs;
  std::vector<Bug> warnings;  ///< races, if they are only reported
  Outcomes outcomes;
  std::vector<std::string> behaviours;  ///< with Options::list_behaviours: `status fingerprint [preemptions]`
  std::vector<std::string> runs;        ///< with Options::list_runs: `status thread:operation ...`
  std::vector<std::string> notes;       ///< what the program did that is not under control
  std::vector<analysis::KnownEdge> lock_order;
  RaceTables race_tables;

  void merge(Findings&& other);

  template <typename Archive>
  void archive(Archive& parts) {
    parts(executions, partial_runs, deadlocks, events, threads_max, operations, cuts, exhausts, leaves_out, unsuitable,
          meant_for, guarantee, finished, coverage, bugs, warnings, outcomes, behaviours, runs, notes, lock_order,
          race_tables);
  }
};

}  // namespace norn
