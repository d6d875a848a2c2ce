#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "report/timeline.hpp"
#include "report/words.hpp"

namespace norn {

/// Whether a line of a timeline gives a lock back, or whatever others can wait for in the same way.
bool gives_back(const ReportedBug& bug, const TimelineRow& row);

/// Finds out, line by line, which lines of a timeline happened because of which.
class Arrows {
 public:
  explicit Arrows(const ReportedBug& bug) : bug_(bug) {}

  /// A thread has a new line.
  void row(const std::string& thread, std::size_t row);
  /// That line is an event.
  void event(std::size_t step, std::size_t row);
  /// A link, after its line if it has one.
  void link(const ReportedLink& link);
  /// Those that only the whole run shows, too.
  std::vector<TimelineArrow> finish(const std::vector<TimelineRow>& rows);

 private:
  struct Origin {
    std::size_t row;
    std::string thread;
  };

  void add(std::size_t from, std::size_t to, const std::string& kind) { arrows_.push_back({from, to, kind}); }
  void add_from(const std::map<std::uint64_t, Origin>& origins, const ReportedEvent& event, std::size_t row,
                const std::string& kind);
  void receive(const ReportedEvent& event, std::size_t row);
  void add_held(const std::vector<TimelineRow>& rows);
  void leave_out_repetitions();
  void add_race(const std::vector<TimelineRow>& rows);

  const ReportedBug& bug_;
  std::vector<TimelineArrow> arrows_;
  std::map<std::string, std::size_t> last_;                     ///< line of each thread
  std::map<std::string, std::vector<TimelineArrow>> expected_;  ///< that lead to the next line of a thread
  std::map<std::uint64_t, Origin> released_;                    ///< where a lock was given back
  std::map<std::uint64_t, Origin> written_;                     ///< where a value comes from
  std::map<std::uint64_t, std::deque<Origin>> messages_;        ///< that were sent to a port
};

}  // namespace norn
