// Work that is divided and done in another order comes to the same.

#include <gtest/gtest.h>

#include <set>

#include "support/random.hpp"
#include "toy_program.hpp"

namespace norn::test {
namespace {

/// How runs ended and their fingerprints. How many preemptions a run had is not always known.
std::multiset<std::string> fingerprints(const std::vector<std::string>& behaviours) {
  std::multiset<std::string> result;
  for (const std::string& line : behaviours) result.insert(line.substr(0, line.find(' ', line.find(' ') + 1)));
  return result;
}

/// Explores in shifts of a few runs. After each shift all that is left goes back to a heap of pieces, from which the
/// next shift takes one or two, as chance will have it.
struct Shifts {
  const Options& options;
  ToyProgram program;
  SplitMix64 chance;

  std::multiset<std::string> explore() {
    ToyRunner runner(program);
    const std::atomic<std::uint32_t> nobody = 0;
    Explorer explorer(options, runner);
    explorer.begin(options.strategy);
    std::vector<Piece> heap = explorer.pieces();
    Findings all;
    while (!heap.empty()) {
      std::vector<Piece> taken;
      for (std::uint64_t count = 1 + chance.below(2); count != 0 && !heap.empty(); --count) {
        const std::size_t i = chance.below(heap.size());
        taken.push_back(std::move(heap[i]));
        heap.erase(heap.begin() + static_cast<std::ptrdiff_t>(i));
      }
      explorer.take_over(taken);
      explorer.work(1 + chance.below(4), nobody);
      for (Piece& piece : explorer.pieces()) heap.push_back(std::move(piece));
      all.merge(explorer.take_findings());
    }
    return fingerprints(all.behaviours);
  }
};

std::multiset<std::string> at_once(const Options& options, const ToyProgram& program) {
  ToyRunner runner(program);
  return fingerprints(Explorer(options, runner).explore().behaviours);
}

void expect_same_in_shifts(const std::string& strategy, const ToyProgram& program) {
  Options options;
  options.strategy = strategy;
  options.list_behaviours = true;
  if (strategy == "random" || strategy == "pct" || strategy == "pos") options.max_executions = 30;
  const auto expected = at_once(options, program);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_EQ((Shifts{options, program, SplitMix64(seed)}.explore().size()), expected.size())
        << strategy << " with seed " << seed;
  if (strategy == "pct") return;  // it learns from the runs before
  EXPECT_EQ((Shifts{options, program, SplitMix64(1)}.explore()), expected) << strategy;
}

TEST(Pieces, OfABoundedSearchAreAllThereIs) {
  for (int bound = 0; bound < 4; ++bound) {
    Options options;
    options.strategy = "exhaustive";
    options.list_behaviours = true;
    options.preemptions = bound;
    const ToyProgram program = independent({2, 3, 2});
    const auto expected = at_once(options, program);
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      EXPECT_EQ((Shifts{options, program, SplitMix64(seed)}.explore()), expected) << bound << " with seed " << seed;
  }
}

/// One of 201 operations can come anywhere. What is left along the way is not as many pieces as there are steps, each
/// with the whole way to it.
TEST(Pieces, OfALongRunAreFew) {
  Options options;
  options.strategy = "exhaustive";
  options.list_behaviours = true;
  const ToyProgram program = independent({200, 1});
  const auto expected = at_once(options, program);
  EXPECT_EQ(expected.size(), 201U);
  EXPECT_EQ((Shifts{options, program, SplitMix64(1)}.explore()), expected);

  ToyRunner runner(program);
  Explorer explorer(options, runner);
  explorer.begin(options.strategy);
  const std::atomic<std::uint32_t> nobody = 0;
  explorer.work(1, nobody);
  EXPECT_LE(explorer.pieces().size(), 65U);
}

class Strategies : public testing::TestWithParam<const char*> {};

TEST_P(Strategies, CanBeDivided) {
  expect_same_in_shifts(GetParam(), independent({2, 2, 2}));
  expect_same_in_shifts(GetParam(), {{update(0), load(1), update(1)}, {load(0), update(1)}, {load(1), update(0)}});
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, testing::Values("exhaustive", "random", "pct", "pos"));

}  // namespace
}  // namespace norn::test
