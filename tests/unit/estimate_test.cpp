// How much there is to explore, as foreseen when a small part of it has been.

#include <gtest/gtest.h>

#include "explore/path.hpp"
#include "explore/survey.hpp"
#include "toy_program.hpp"

namespace norn::test {
namespace {

using Parts = std::vector<std::vector<Survey::Stratum>>;

/// What can be derived from a point of a made-up search, each with the number of steps that it has left.
std::vector<int> derived(int left, SplitMix64& chance) {
  std::vector<int> below;
  for (int i = 0; i < left; ++i)
    if (chance.below(3) != 0) below.push_back(i);
  return below;
}

/// A search whose points are alike on average only: below a point, chance decides what there is.
struct MadeUp {
  std::uint64_t seed;
  int steps;

  /// Chance belongs to the point, whenever it is looked at.
  [[nodiscard]] std::vector<std::pair<int, std::uint64_t>> below(int left, std::uint64_t point) const {
    SplitMix64 chance(seed ^ point);
    std::vector<std::pair<int, std::uint64_t>> branches;
    for (const int one : derived(left, chance)) branches.emplace_back(one, chance());
    return branches;
  }
  [[nodiscard]] double size(int left, std::uint64_t point) const {
    double sum = 1;
    for (const auto& [one, number] : below(left, point)) sum += size(one, number);
    return sum;
  }
};

/// Probes that begin at the root, as if nothing of it had been explored.
Size surveyed(const MadeUp& search, int probes) {
  Survey survey(search.seed);
  for (int i = 0; i < probes; ++i) {
    std::vector<std::vector<std::pair<int, std::uint64_t>>> points = {search.below(search.steps, 0)};
    const auto offer = [&](std::size_t point) {
      for (std::size_t k = 0; k < points[point].size(); ++k) survey.offer(points[point][k].first, {point, k});
    };
    survey.begin();
    offer(0);
    while (const auto branch = survey.next(0)) {
      const auto [left, number] = points[branch->point][branch->index];
      points.push_back(search.below(left, number));
      survey.looked(true);
      offer(points.size() - 1);
    }
  }
  std::vector<Survey::Stratum> strata;
  for (const auto& [left, number] : search.below(search.steps, 0)) strata.push_back(left);
  return survey.sizes(Parts{strata})->front();
}

TEST(Surveys, ForeseeMadeUpSearches) {
  constexpr int searches = 100;
  int hits = 0;
  double error = 0;
  for (std::uint64_t seed = 1; seed <= searches; ++seed) {
    const MadeUp search{seed, 18};
    const double truth = search.size(search.steps, 0) - 1;
    const Size foreseen = surveyed(search, 16);
    hits += foreseen.low <= truth && truth <= foreseen.high ? 1 : 0;
    error += std::log(foreseen.runs / truth) / searches;
  }
  EXPECT_GE(hits, 99);
  EXPECT_LT(std::abs(error), 0.25) << "it is right on average";
}

TEST(Surveys, AreSureOfWhatIsRegular) {
  Survey survey(1);
  for (int i = 0; i < 16; ++i) {
    survey.begin();
    for (int left = 0; left < 40; ++left) survey.offer(left, {0, 0});
    for (int next = 39; survey.next(0); --next) {
      survey.looked(true);
      for (int left = 0; left < next; ++left) survey.offer(left, {0, 0});
    }
  }
  // Twice as many for every step.
  const Size size = survey.sizes(Parts{{39}})->front();
  EXPECT_NEAR(size.runs / std::pow(2.0, 39), 1, 1e-9);
  EXPECT_GT(size.low, size.runs / 20);
  EXPECT_LT(size.high, size.runs * 200);
}

TEST(Surveys, SayNothingBeforeTheyHaveBegun) { EXPECT_FALSE(Survey(1).sizes(Parts{{3}})); }

TEST(Surveys, FollowBranchesThatMove) {
  Survey survey(1);
  survey.begin();
  survey.offer(5, {7, 3});
  survey.moved(7, 3, 1);
  const auto branch = survey.next(0);
  ASSERT_TRUE(branch);
  EXPECT_EQ(branch->index, 1U);
}

/// Threads that do so many updates of one variable: (nk)! / (k!)^n behaviours, and as many interleavings.
double arrangements(int threads, int times) {
  return std::exp(std::lgamma(threads * times + 1) - threads * std::lgamma(times + 1));
}

Exploration explored(const std::string& strategy, int threads, int times, std::uint64_t runs, std::uint64_t seed) {
  Options options;
  options.strategy = strategy;
  options.max_executions = runs;
  options.seed = seed;
  ToyRunner runner(independent(std::vector<int>(threads, times)));
  return Explorer(options, runner).explore();
}

class Estimates : public testing::TestWithParam<const char*> {};

TEST_P(Estimates, HoldFromThousandsToMoreThanCanBeCounted) {
  for (const auto& [threads, times] : {std::pair(2, 8), {3, 4}, {4, 4}, {4, 8}, {8, 4}, {3, 20}, {20, 2}})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Exploration found = explored(GetParam(), threads, times, 2000, seed);
      const double truth = arrangements(threads, times);
      ASSERT_TRUE(found.estimate) << threads << " " << times;
      EXPECT_LE(found.estimate->low, truth * 1.0001) << threads << " x " << times << " with seed " << seed;
      EXPECT_GE(found.estimate->high, truth * 0.9999) << threads << " x " << times << " with seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Estimates, testing::Values("dpor", "exhaustive"));

TEST(Estimate, OfAHugeExplorationIsOfTheRightOrder) {
  const Exploration found = explored("dpor", 4, 8, 5000, 1);
  ASSERT_TRUE(found.estimate);
  // 32! / (8!)^4, about 10^17. Whoever counts what is near the leaves comes to 10^7.
  EXPECT_LT(std::abs(std::log10(found.estimate->executions / arrangements(4, 8))), 2) << found.estimate->executions;
  EXPECT_LT(std::log10(found.estimate->high / found.estimate->low), 8);
}

// 6000! / (3000!)^2 is more than a number can say.
TEST(Estimate, OfWhatIsEndlessIsNotMade) { EXPECT_FALSE(explored("exhaustive", 2, 3000, 20, 1).estimate); }

// What was foreseen with a sixteenth of the runs was a sixteenth, too, so there may be as much again as often.
TEST(Hindsight, DoubtsWhatHasBeenTooLittleBefore) {
  Hindsight hindsight;
  hindsight.note(1'000, 1'100);
  EXPECT_EQ(hindsight.shortfall(2'000, 2'200), 1);   // too early to tell
  EXPECT_EQ(hindsight.shortfall(16'000, 1'500), 1);  // as foreseen, or nearly
  EXPECT_EQ(hindsight.shortfall(16'000, 17'600), 16);
  EXPECT_EQ(hindsight.shortfall(100'000, 110'000), 1);  // that was long ago
  std::vector<Size> left = {{800, 700, 900}, {800, 700, 900}};
  hindsight.correct(left, 16'000);
  EXPECT_NEAR(left[0].runs * 2 + 16'000, 17'600 * 4, 1);
  EXPECT_NEAR(left[0].high * 2 + 16'000, 17'600 * 256.0, 1);
  EXPECT_EQ(left[0].low, 700);
}

TEST(Estimate, SettlesWhenLittleIsLeft) {
  const Exploration found = explored("dpor", 3, 4, 33'000, 1);
  ASSERT_TRUE(found.estimate);
  EXPECT_NEAR(found.estimate->executions, arrangements(3, 4), 5000);
  EXPECT_LT(found.estimate->high, 2 * arrangements(3, 4));
}

}  // namespace
}  // namespace norn::test
