// Strategy coverage on real programs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "checker.hpp"
#include "description.hpp"
#include "generator.hpp"
#include "norn_check.hpp"

namespace norn::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string subject(const std::string& name) { return COVERAGE_SUBJECTS "/" + name; }

Checked cover(const std::string& program, std::vector<std::string> options) {
  options.insert(options.begin(), {"--strategy", "coverage"});
  return check(program, options);
}

std::set<LinePair> covered_pairs(const json& coverage) {
  std::set<LinePair> pairs;
  for (const json& one : coverage.at("requirements"))
    if (one.at("covered_in") != 0)
      pairs.emplace(one.at("first").get<std::string>(), one.at("second").get<std::string>());
  return pairs;
}

TEST(Coverage, OfThePapersExampleIsComplete) {
  const Checked checked = cover(subject("two_threads"), {});
  const json& coverage = checked.summary.at("coverage");
  EXPECT_EQ(coverage.at("criterion"), "sync-pairs");
  EXPECT_EQ(coverage.at("estimated"), 10);
  EXPECT_EQ(coverage.at("covered"), 10);
  EXPECT_EQ(coverage.at("uncovered"), 0);
  EXPECT_EQ(coverage.at("infeasible"), 2);
  EXPECT_EQ(coverage.at("found_later"), 0);
  EXPECT_EQ(checked.verdict(), "incomplete");
  EXPECT_THAT(checked.finished.output, HasSubstr("10 of 10 sync pairs are covered"));
  EXPECT_THAT(checked.finished.output, HasSubstr("coverage grew no more"));
  EXPECT_THAT(coverage.at("requirements").dump(), HasSubstr("two_threads.cpp:"));
}

TEST(Coverage, EndsAfterSoManyRunsIfThatIsAskedFor) {
  EXPECT_EQ(cover(subject("two_threads"), {"--max-executions", "500"}).executions(), 500);
}

/// Nobody waits twice, and the two threads have four lines that can block each other.
TEST(Coverage, OfBlockingPairs) {
  const json coverage = cover(subject("two_threads"), {"--criterion", "blocking-pairs"}).summary.at("coverage");
  EXPECT_EQ(coverage.at("estimated"), 8);
  EXPECT_EQ(coverage.at("covered"), 8);
  EXPECT_EQ(coverage.at("infeasible"), 4);
}

/// Both stores of the flag can come right before both loads, and the other way round; and the answer.
TEST(Coverage, OfStatementsAndOfDefinitionsAndUses) {
  const json statements = cover(subject("flags"), {"--criterion", "statement-pairs"}).summary.at("coverage");
  EXPECT_EQ(statements.at("covered"), 10);
  const json uses = cover(subject("flags"), {"--criterion", "def-use-pairs"}).summary.at("coverage");
  EXPECT_EQ(uses.at("covered"), 5);
}

class Subjects : public testing::TestWithParam<const char*> {};

TEST_P(Subjects, AreCoveredAsTheirRunsSay) {
  const Checked checked = cover(subject(GetParam()), {"--max-executions", "100"});
  EXPECT_EQ(covered_pairs(checked.summary.at("coverage")), sync_pairs_of(checked.runs));
  EXPECT_EQ(checked.first_bug(), "");
}

INSTANTIATE_TEST_SUITE_P(All, Subjects, testing::Values(COVERAGE_SUBJECT_NAMES));

/// `random` gets there about once in 2,700 runs.
TEST(Coverage, FindsABugThatNeedsARarePair) {
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    const Checked checked = cover(subject("rare_pair"), {"--max-executions", "300", "--seed", seed, "--minimise", "0"});
    EXPECT_EQ(checked.first_bug(), "abort") << seed;
  }
}

/// A hundred; NORN_COVERAGE_PROGRAMS says how many others it shall be.
TEST(RandomPrograms, AreCoveredAsTheirRunsSay) {
  const char* wanted = std::getenv("NORN_COVERAGE_PROGRAMS");
  const std::uint64_t count = wanted == nullptr ? 100 : std::strtoull(wanted, nullptr, 10);
  std::size_t covered = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const std::string program = random_programs::to_text(random_programs::generate(seed));
    const Checked checked =
        check(RANDOM_INTERPRETER, {"--strategy", "coverage", "--max-executions", "40", "--keep-going"}, {program});
    const std::set<LinePair> pairs = covered_pairs(checked.summary.at("coverage"));
    EXPECT_EQ(pairs, sync_pairs_of(checked.runs)) << program;
    covered += pairs.size();
  }
  EXPECT_GT(covered, count);  // so there was something to compare
}

// Noise: what happens is up to the operating system, so the tests only look for what happens sooner or later.

Checked with_noise(const std::string& program, std::vector<std::string> options,
                   const std::vector<std::string>& arguments = {}) {
  options.insert(options.begin(), {"--strategy", "noise"});
  return check(program, options, arguments);
}

TEST(Noise, CoversSomeSynchronizationPairs) {
  for (const char* kind : {"yield", "sleep10"}) {
    const Checked checked =
        with_noise(subject("two_threads"), {"--noise", kind, "--probability", "0.5", "--max-executions", "20"});
    EXPECT_EQ(checked.verdict(), "incomplete");
    EXPECT_EQ(checked.finished.exit_code, 3);
    EXPECT_EQ(checked.executions(), 20);
    const json& coverage = checked.summary.at("coverage");
    EXPECT_GE(coverage.at("covered"), 3);
    EXPECT_LE(coverage.at("covered"), 10);
    EXPECT_THAT(coverage.at("requirements").dump(), HasSubstr("two_threads.cpp:"));
    EXPECT_THAT(checked.finished.output, HasSubstr("does not control threads"));
  }
}

TEST(Noise, FindsBugs) {
  const std::vector<std::string> often = {"--noise", "sleep10", "--probability", "0.8", "--max-executions", "500"};
  const Checked aborted = with_noise(subject("quarrel"), often, {"abort"});
  EXPECT_EQ(aborted.first_bug(), "abort");
  EXPECT_EQ(aborted.finished.exit_code, 1);
  EXPECT_EQ(with_noise(subject("quarrel"), often, {"exit"}).first_bug(), "exit");
}

TEST(Noise, DoesNotWaitForEver) {
  const Checked checked = with_noise(
      subject("quarrel"),
      {"--noise", "sleep10", "--probability", "0.8", "--max-executions", "20", "--max-run-seconds", "0.3"}, {"hang"});
  EXPECT_EQ(checked.verdict(), "incomplete");
  EXPECT_THAT(checked.finished.output, HasSubstr("a deadlock?"));
}

TEST(Noise, RefusesWhatItCannotDo) {
  EXPECT_EQ(with_noise(subject("two_threads"), {"--jobs", "2"}).finished.exit_code, 2);
  EXPECT_EQ(with_noise(subject("two_threads"), {"--criterion", "blocking-pairs"}).finished.exit_code, 2);
  EXPECT_EQ(with_noise(subject("two_threads"), {"--probability", "2"}).finished.exit_code, 2);
}

TEST(CoverageFile, IsContinued) {
  const Scratch scratch;
  const std::string file = scratch.file("coverage.json");
  const std::vector<std::string> few = {"--max-executions", "4", "--coverage-file", file};
  const json first = cover(subject("two_threads"), few).summary.at("coverage");
  EXPECT_LT(first.at("covered"), 10);
  const json second = cover(subject("two_threads"), {"--coverage-file", file}).summary.at("coverage");
  EXPECT_EQ(second.at("covered"), 10);
  const json kept = json::parse(read_file(file));
  EXPECT_EQ(kept.at("covered").size(), 10);
  EXPECT_EQ(kept.at("uncovered").size(), 0);
}

TEST(CoverageFile, OfSomethingElseIsNotOverwritten) {
  const Scratch scratch;
  const std::string file = scratch.write("notes.txt", "precious\n");
  const Checked checked = cover(subject("two_threads"), {"--coverage-file", file});
  EXPECT_EQ(checked.finished.exit_code, 2);
  EXPECT_THAT(checked.finished.error, HasSubstr("is no coverage file"));
  EXPECT_EQ(read_file(file), "precious\n");
}

TEST(CoverageFile, OfAnotherCriterionIsRefused) {
  const Scratch scratch;
  const std::string file = scratch.file("coverage.json");
  cover(subject("two_threads"), {"--coverage-file", file});
  const Checked checked = cover(subject("two_threads"), {"--coverage-file", file, "--criterion", "blocking-pairs"});
  EXPECT_EQ(checked.finished.exit_code, 2);
  EXPECT_THAT(checked.finished.error, HasSubstr("is about sync-pairs, not about blocking-pairs"));
}

TEST(CoverageOptions, AreChecked) {
  EXPECT_EQ(cover(subject("two_threads"), {"--jobs", "2"}).finished.exit_code, 2);
  EXPECT_EQ(cover(subject("two_threads"), {"--criterion", "everything"}).finished.exit_code, 2);
  EXPECT_EQ(check(subject("two_threads"), {"--coverage-file", "x"}).finished.exit_code, 2);
}

TEST(Coverage, IsTheSameWithForkedRunsAndOnOsThreads) {
  const auto covered = [](const std::string& option, const std::string& value) {
    return covered_pairs(
        cover(subject("two_threads"), {"--max-executions", "60", option, value}).summary.at("coverage"));
  };
  const auto usual = covered("--isolation", "snapshot");
  EXPECT_EQ(covered("--isolation", "fork"), usual);
  EXPECT_EQ(covered("--threads", "os"), usual);
}

}  // namespace
}  // namespace norn::test
