#pragma once

#include <vector>

#include "analysis/history.hpp"
#include "trace/trace.hpp"

namespace norn {

/// Whether two failing runs show the same bug.
bool same_bug(const Outcome& one, const Outcome& other);

struct Bug {
  Outcome outcome;
  std::vector<Choice> schedule;
  std::uint64_t count = 1;   ///< how many runs showed it
  analysis::Race race = {};  ///< of a data race

  /// A race is the same wherever its two places race; everything else by how it shows.
  [[nodiscard]] bool is_same(const Bug& other) const;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(outcome, schedule, count, race);
  }
};

/// Adds a bug, or to the count of the same one.
void keep(std::vector<Bug>& bugs, Bug bug);

}  // namespace norn
