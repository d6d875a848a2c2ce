// With --preemptions N: exactly the behaviours with a run of at most N preemptions.

#include <gtest/gtest.h>

#include "totals.hpp"

namespace norn::test {
namespace {

struct Bounded {
  std::vector<std::string> arguments;
  std::vector<unsigned long> behaviours;  ///< with at most 0, 1, ... preemptions; with the last bound these are all
  unsigned long deadlocks = 0;            ///< all of which need as many as the last bound
};

void PrintTo(const Bounded& bounded, std::ostream* stream) {
  for (const std::string& word : bounded.arguments) *stream << word << " ";
}

Checked check_within(std::size_t bound, const std::string& strategy, const std::vector<std::string>& arguments) {
  return check_totals(KNOWN_COUNTS, {"--strategy", strategy, "--keep-going", "--preemptions", std::to_string(bound)},
                      arguments);
}

class Preemptions : public testing::TestWithParam<Bounded> {};

TEST_P(Preemptions, OnlyWhatNeedsNoMore) {
  const Bounded& bounded = GetParam();
  for (const char* const strategy : {"dpor", "exhaustive"}) {
    for (std::size_t bound = 0; bound < bounded.behaviours.size(); ++bound) {
      SCOPED_TRACE(std::string(strategy) + " " + std::to_string(bound));
      const bool is_last = bound + 1 == bounded.behaviours.size();
      const Checked checked = check_within(bound, strategy, bounded.arguments);
      EXPECT_EQ(checked.distinct(), bounded.behaviours[bound]);
      EXPECT_EQ(checked.summary.value("deadlocks", 0UL) != 0, is_last && bounded.deadlocks != 0);
      if (std::string(strategy) == "exhaustive") continue;  // which does not know whether all was seen
      EXPECT_EQ(checked.executions(), bounded.behaviours[bound]);
      EXPECT_EQ(checked.summary.value("complete", false), is_last);
    }
  }
}

// n threads that take one lock k times: words of n letters, each k times. Each lock is given back in the same breath,
// so a thread that is left can go on unless it has done all: the preemptions of a word are its blocks of equal letters
// less n.
//
// 2 x 2: aabb and bbaa; abba and baab; abab and baba.
// 3 x 2: 3! words of three blocks. One letter in two blocks: 4!/2! orders of the blocks less the 3! with both side by
// side, for each of 3 letters: 18. Two letters: 5!/(2! 2!) - 2 * 4!/2! + 3! = 12, for each of 3 pairs: 36. All: the
// other 30 of 90.
// 4 x 2, in the same way: 4! = 24; 4 * (5!/2! - 4!) = 144; 6 * (6!/4 - 2 * 5!/2 + 4!) = 504; 984; the
// rest of 2520.
//
// Three philosophers: who comes first at each of three forks, 2^3 ways. Two of them go round in a circle: one cannot
// be, the other is the deadlock. The other 6 are the orders in which the three eat one after the other. For the
// deadlock one must be left while its second fork is free; then come those who find their second fork taken.
INSTANTIATE_TEST_SUITE_P(WorkedOut, Preemptions,
                         testing::Values(Bounded{{"locks", "2", "2"}, {2, 4, 6}},
                                         Bounded{{"locks", "3", "2"}, {6, 24, 60, 90}},
                                         Bounded{{"locks", "4", "2"}, {24, 168, 672, 1656, 2520}},
                                         Bounded{{"philosophers", "3", "1"}, {6, 7}, 1}));

TEST(PreemptionBound, IsTheReasonWhyNotAllWasSeen) {
  const Checked checked = check_within(1, "auto", {"locks", "2", "2"});
  EXPECT_EQ(checked.verdict(), "incomplete");
  EXPECT_EQ(checked.finished.exit_code, 3);
  ASSERT_EQ(checked.summary.at("reasons").size(), 1);
  EXPECT_EQ(checked.summary.at("reasons").at(0).get<std::string>(),
            "only behaviours with at most 1 preemption were explored (--preemptions)");
}

TEST(PreemptionBound, KeepsOutBugs) {
  EXPECT_EQ(check_within(0, "auto", {"philosophers", "3", "1"}).verdict(), "incomplete");
  const Checked checked = check_within(1, "auto", {"philosophers", "3", "1"});
  EXPECT_EQ(checked.verdict(), "bug");
  EXPECT_EQ(checked.first_bug(), "deadlock");
}

// Two threads take a spin lock in one order or the other, and neither has to be left for that.
TEST(PreemptionBound, OfLoopsThatWaitIsLeftToExhaustive) {
  EXPECT_EQ(check_within(0, "auto", {"spin_lock", "2"}).distinct(), 2);
  const Checked checked = check_within(0, "dpor", {"spin_lock", "2"});
  EXPECT_EQ(checked.verdict(), "incomplete");
  EXPECT_NE(checked.summary.at("reasons").dump().find("use exhaustive"), std::string::npos);
}

}  // namespace
}  // namespace norn::test
