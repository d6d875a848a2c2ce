#pragma once

// How the tests of primitives say what they expect: programs, the runs they have, and how those end.

#include <gtest/gtest.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace norn::test {

/// Where the count of runs is not worked out.
inline constexpr unsigned long some = 0;

struct Outcome {
  std::string status;  ///< "ok" or the kind of a bug
  std::string output;
  unsigned long runs = some;
};

/// One program (a file of programs/ and the case of it to run) and all that it can do.
/// For programs that count something in plain variables where it does not matter that they race.
inline const std::vector<std::string> races_ignored{"--races", "ignore"};

struct Case {
  std::string program;
  std::string name;
  std::vector<Outcome> outcomes;
  unsigned long distinct = some;
  std::vector<std::string> options = {};
};

void PrintTo(const Case& expected, std::ostream* stream);

/// Fibers and OS threads, snapshots and processes: the same runs, in the same order.
void expect_same_runs_in_all_ways(const std::vector<Case>& cases);

/// Another compiler, another set of instrumentation calls: the same ways to end.
void expect_same_outcomes_with_clang(const std::vector<Case>& cases);

/// For programs with too many interleavings to run them all: at random, and it ends in no other ways than expected.
void expect_in_samples(const Case& expected);

/// Explores a case exhaustively: it ends in the expected ways, each as often as expected.
class Primitive : public testing::TestWithParam<Case> {};

std::string case_name(const testing::TestParamInfo<Case>& info);

}  // namespace norn::test
