#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace norn {

// What can be asked for.
inline constexpr std::uint32_t most_steps = 100'000'000;
inline constexpr std::uint32_t most_threads = 2'000;
inline constexpr std::uint64_t least_memory = std::uint64_t{1} << 16;
inline constexpr std::uint64_t most_memory = std::uint64_t{1} << 34;
inline constexpr unsigned most_depth = 100;
inline constexpr unsigned most_changes = 10;
inline constexpr unsigned most_jobs = 256;
inline constexpr int most_preemptions = 1'000;
inline constexpr int any_preemptions = -1;
inline constexpr double most_seconds = 1e30;

/// Runs that minimising a bug may take if nobody says otherwise: a fraction of a second for most programs.
inline constexpr std::uint64_t default_minimise = 20'000;

/// What an exploration is told: the options of `norn check` that matter inside the program's process. They
/// travel there as JSON (support/options_json.hpp). 0 means "no limit" where a limit is meant.
struct Options {
  std::string strategy = "auto";
  std::uint64_t seed = 1;
  unsigned pct_depth = 3;
  unsigned t = 2;                        ///< of strategy t-way
  std::string reduce;                    ///< names, separated by commas (explore/reachability/reductions.hpp)
  bool graph = false;                    ///< collect what was explored as a graph
  std::string criterion = "sync-pairs";  ///< of strategy coverage
  std::uint64_t estimate_runs = 1;       ///< from so many runs, it estimates what can be covered
  bool happens_before = false;           ///< without what starting and joining threads makes impossible
  bool without_rule_3 = false;           ///< of the paper's algorithm
  std::int64_t saturation = -1;          ///< it ends when so many runs covered nothing new; -1: unless there is a limit
  double saturation_threshold = 0.1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> covered;    ///< by earlier explorations: lines, by their numbers
  std::vector<std::pair<std::uint32_t, std::uint32_t>> uncovered;  ///< what they estimated and did not cover
  std::string sequence;                                            ///< a sequence that is to be forced (norn accept)
  int preemptions = any_preemptions;  ///< only behaviours with a run of at most so many are explored
  std::uint64_t max_executions = 0;
  double max_seconds = 0;
  std::uint32_t max_steps = 100'000;
  std::uint32_t max_threads = 64;
  std::uint64_t max_memory = std::uint64_t{1} << 30;
  double max_run_seconds = 10;
  unsigned jobs = 1;          ///< processes that share the work
  std::uint64_t chaos = 0;    ///< not 0: processes are killed at random moments and share all the time, to test that
  std::uint64_t forget = 0;   ///< not 0: dpor forgets every so many-th graph, to test that this is noticed
  bool check_tables = false;  ///< t-way: check that race tables cover what they should
  bool keep_going = false;
  std::uint64_t minimise = default_minimise;  ///< runs to look for a simpler schedule of each bug; 0: do not look
  std::string wakeup = "any";
  unsigned spurious = 0;
  std::string isolation = "snapshot";
  bool from_start = false;  ///< every run begins at the beginning of the program, none in the middle
  std::string threads = "fiber";
  std::string plain = "race";  ///< accesses that are scheduling points: none; where they race; "shared": by several
  std::string races = "fail";
  std::string memory = "fail";
  bool leaks = false;
  bool releases_visible = false;  ///< releasing a lock is a scheduling point; found out by itself when exploring
  bool readers_ordered = false;   ///< the same for locks that readers share
  bool barriers_ordered = false;  ///< it matters who comes to a barrier first; found out in the same way
  bool sends_visible = false;     ///< sending a message is an event; found out in the same way
  bool locks_one_by_one = false;  ///< it shows how several are taken together; found out in the same way
  std::vector<std::pair<std::uint64_t, std::uint64_t>> visible;  ///< memory whose plain accesses are scheduling points
  std::vector<std::pair<std::uint64_t, std::uint64_t>> loops;    ///< places in loops that wait: code and object
  bool outcomes = false;                                         ///< collect how runs end and what they print
  bool list_runs = false;                                        ///< collect what every single run did
  bool list_behaviours = false;                                  ///< collect the canonical form of every single run
  [[nodiscard]] bool bounds_preemptions() const { return preemptions != any_preemptions; }
  /// Whether memory accesses are looked at.
  [[nodiscard]] bool watches() const { return races != "ignore" || memory != "ignore" || plain != "race"; }
  bool progress = false;          ///< tell the command from time to time how it gets on
  bool checkpoint = false;        ///< and send it what it takes to go on later
  double checkpoint_seconds = 1;  ///< so often
  std::uint64_t resume = 0;       ///< go on from a checkpoint of so many bytes, which follows
  bool self_check = false;        ///< look for the bug that was planted, and for nothing else
  bool compare = false;           ///< for a page: describe bugs as they were found, runs that pass, sequences
  bool replays = false;           ///< run one schedule again instead of exploring
  bool details = false;           ///< describe that run as if it were a bug that was found
  std::string replay;             ///< that schedule, `thread operation alternative` lines
};

/// Of the language that the tools and the runtime in the program under test speak: the names of options, and what is
/// reported. Raise it when one of them would not understand the other any more.
inline constexpr int protocol = 6;

/// What is wrong with the values, in one sentence; empty if nothing is.
std::string what_is_wrong(const Options& options);

/// Why an exploration with these options cannot be interrupted and resumed, in one sentence; empty if it can.
std::string why_no_checkpoint(const Options& options);

}  // namespace norn
