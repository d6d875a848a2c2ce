// Where operations on different objects are not independent, strategies that depend on that say so, and others take
// over.

#include <gtest/gtest.h>

#include "totals.hpp"

namespace norn::test {
namespace {

struct Case {
  const char* name;
  unsigned long behaviours;  ///< the orders of all events, if these are told apart
  const char* reason;
};

void PrintTo(const Case& one, std::ostream* stream) { *stream << one.name; }

class Entangled : public testing::TestWithParam<Case> {
 protected:
  static Checked explore(const std::string& strategy) {
    return check_totals(ENTANGLED, {"--strategy", strategy, "--keep-going", "--spurious", "1"}, {GetParam().name});
  }
};

TEST_P(Entangled, IsExploredCompletely) {
  const Checked all = explore("exhaustive");
  const Checked checked = explore("auto");
  EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
  EXPECT_EQ(checked.distinct(), GetParam().behaviours);
  EXPECT_EQ(all.distinct(), GetParam().behaviours);
  EXPECT_EQ(all.executions(), checked.executions());
}

TEST_P(Entangled, IsNotForStrategiesThatReduce) {
  for (const char* strategy : {"dpor", "reachability"}) {
    const Checked checked = explore(strategy);
    EXPECT_FALSE(checked.summary.value("complete", true)) << strategy;
    EXPECT_NE(checked.summary["reasons"].dump().find(GetParam().reason), std::string::npos) << checked.summary;
  }
}

// robust: the one who tries sees three states; if it has the mutex, the other one waits or takes it later: no more.
// What overlaps, and what a property sees, is told apart by outcomes only. farewell: the thread has done nothing, one
// thing or both. last: who loads. spurious: who wakes up.
INSTANTIATE_TEST_SUITE_P(Kinds, Entangled,
                         testing::Values(Case{"property", 1, "a property"}, Case{"robust", 3, "robust mutexes"},
                                         Case{"overlap", 2, "parts of the same bytes"},
                                         Case{"farewell", 3, "while the process ends"},
                                         Case{"last", 2, "the last thread to end"},
                                         Case{"spurious", 2, "spurious wake-ups"}));

}  // namespace
}  // namespace norn::test
