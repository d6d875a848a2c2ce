// Strategy coverage on real programs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

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

/// The numbers of the lines of all pairs that are covered, or of those that are not.
std::set<LinePair> lines_of(const Checked& checked, bool covered) {
  const auto number = [](const std::string& line) { return line.substr(line.rfind(':') + 1); };
  std::set<LinePair> pairs;
  for (const json& one : checked.summary.at("coverage").at("requirements"))
    if (one.at("covered") == covered) pairs.emplace(number(one.at("first")), number(one.at("second")));
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

/// Lines get their names at the end of the run that comes across them: that of a lock deep in a library, too.
TEST(Coverage, OfTheFirstRunCounts) {
  const Checked checked = cover(subject("boost_signals2"), {"--max-executions", "1"});
  ASSERT_EQ(checked.runs.size(), 1);
  EXPECT_EQ(checked.runs[0].find("#?"), std::string::npos);
  EXPECT_GE(checked.summary.at("coverage").at("covered"), 10);
  EXPECT_EQ(covered_pairs(checked.summary.at("coverage")), sync_pairs_of(checked.runs));
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

/// Both threads write and read one plain variable under a lock, so that nothing races: what one writes, the other
/// reads. Within one critical section nobody comes between.
TEST(Coverage, OfPlainVariablesBehindALock) {
  const Checked uses = cover(subject("guarded"), {"--criterion", "def-use-pairs"});
  EXPECT_EQ(uses.first_bug(), "");
  const std::set<LinePair> feasible{{"23", "27"}, {"28", "20"}};
  EXPECT_EQ(lines_of(uses, true), feasible);
  EXPECT_EQ(lines_of(uses, false), (std::set<LinePair>{}));
  EXPECT_EQ(uses.summary.at("coverage").at("infeasible"), 1);  // 21 and then 27
  const Checked statements = cover(subject("guarded"), {"--criterion", "statement-pairs"});
  EXPECT_EQ(lines_of(statements, true), feasible);
  EXPECT_EQ(lines_of(statements, false), (std::set<LinePair>{}));
  EXPECT_EQ(statements.summary.at("coverage").at("infeasible"), 8);
}

/// A bug that is found between accesses that are events only for this criterion can be replayed.
TEST(Coverage, OfPlainVariablesLeavesTracesThatCanBeReplayed) {
  const Scratch scratch;
  const Finished checked = run({norn_bin() + "/norn", "check", subject("guarded"), "--strategy", "coverage",
                                "--criterion", "def-use-pairs", "--trace-dir", scratch.file("traces"), "--", "fail"});
  EXPECT_EQ(checked.exit_code, 1) << checked.output << checked.error;
  const Finished replayed = run({norn_bin() + "/norn", "replay", scratch.file("traces") + "/guarded-1.trace"});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.output << replayed.error;
  EXPECT_THAT(replayed.output, HasSubstr("replayed"));
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

Checked with_noise(const std::string& program, const std::vector<std::string>& options,
                   const std::vector<std::string>& arguments = {}) {
  const Scratch scratch;
  const std::string summary = scratch.file("summary");
  std::vector<std::string> command{norn_bin() + "/norn", "check", program, "--json", summary, "--strategy", "noise"};
  command.insert(command.end(), options.begin(), options.end());
  command.emplace_back("--");
  command.insert(command.end(), arguments.begin(), arguments.end());
  Checked checked;
  checked.finished = run(command);
  checked.summary = json::parse(read_file(summary), nullptr, false);
  return checked;
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
    EXPECT_THAT(checked.finished.output, HasSubstr("cannot be replayed"));
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

TEST(Noise, SaysThatItDidNotCountAllLocks) {
  const Checked checked = with_noise(subject("quarrel"), {"--probability", "0", "--max-executions", "1"}, {"busy"});
  EXPECT_EQ(checked.verdict(), "incomplete");
  EXPECT_THAT(checked.finished.output, HasSubstr("1 run took more than 1000000 locks, and only so many are counted"));
  EXPECT_EQ(checked.summary.at("coverage").at("covered"), 1);
}

TEST(Noise, RefusesWhatItCannotDo) {
  EXPECT_EQ(with_noise(subject("two_threads"), {"--jobs", "2"}).finished.exit_code, 2);
  EXPECT_EQ(with_noise(subject("two_threads"), {"--criterion", "blocking-pairs"}).finished.exit_code, 2);
  EXPECT_EQ(with_noise(subject("two_threads"), {"--probability", "2"}).finished.exit_code, 2);
  for (const char* option : {"--graph", "--outcomes", "--list-runs", "--list-behaviours", "--coverage-file"}) {
    const Checked checked = with_noise(subject("two_threads"), {option, "/nowhere"});
    EXPECT_EQ(checked.finished.exit_code, 2);
    EXPECT_THAT(checked.finished.error, HasSubstr(option));
  }
}

TEST(CoverageFile, IsContinued) {
  const Scratch scratch;
  const std::string file = scratch.file("coverage.json");
  const std::vector<std::string> few = {"--max-executions", "2", "--coverage-file", file};
  const json first = cover(subject("two_threads"), few).summary.at("coverage");
  EXPECT_LT(first.at("covered"), 10);
  const json second = cover(subject("two_threads"), {"--coverage-file", file}).summary.at("coverage");
  EXPECT_EQ(second.at("covered"), 10);
  const json kept = json::parse(read_file(file));
  EXPECT_EQ(kept.at("covered").size(), 10);
  EXPECT_EQ(kept.at("uncovered").size(), 0);
}

/// Lines are the same whatever the compiler makes of them; if not, there would be more pairs than ten.
TEST(CoverageFile, IsContinuedByAnotherBuild) {
  const Scratch scratch;
  const std::string file = scratch.file("coverage.json");
  for (const char* level : {"-O0", "-O2"}) {
    const std::vector<std::string> few = {"--max-executions", "2", "--coverage-file", file, "--cflags", level};
    EXPECT_EQ(cover(COVERAGE_SOURCES "/two_threads.cpp", few).verdict(), "incomplete");
    const json kept = json::parse(read_file(file));
    EXPECT_EQ(kept.at("covered").size() + kept.at("uncovered").size(), 10) << kept;
  }
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

// norn show --coverage.

Finished show(const std::vector<std::string>& options, const std::map<std::string, std::string>& environment = {}) {
  std::vector<std::string> command{norn_bin() + "/norn", "show"};
  command.insert(command.end(), options.begin(), options.end());
  return run(command, environment);
}

/// A file with pairs of these lines of a.cpp.
std::string coverage_file(const Scratch& scratch, const std::string& name, const json& covered, const json& uncovered) {
  const auto named = [&scratch](const json& pairs) {
    json result = json::array();
    for (const json& pair : pairs)
      result.push_back({scratch.file("a.cpp:" + std::to_string(pair.at(0).get<int>())),
                        scratch.file("a.cpp:" + std::to_string(pair.at(1).get<int>()))});
    return result;
  };
  return scratch.write(name, json{{"file", "norn-coverage"},
                                  {"criterion", "sync-pairs"},
                                  {"executions", 12},
                                  {"found_later", 1},
                                  {"infeasible", 4},
                                  {"covered", named(covered)},
                                  {"uncovered", named(uncovered)}}
                                 .dump());
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

TEST(ShowCoverage, ListsWhatIsNotCovered) {
  const Scratch scratch;
  scratch.write("a.cpp", "one\n  two\nthree\n\tfour\n");
  const std::string file = coverage_file(scratch, "c.json", {{1, 2}, {2, 1}, {2, 2}}, {{1, 4}, {1, 2}, {2, 3}});
  const Finished shown = show({"--coverage", file});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.output, HasSubstr("3 of 6 sync pairs are covered\n"));
  EXPECT_THAT(shown.output,
              HasSubstr("5 were estimated, 1 found later, 4 combinations of lines are infeasible; 12 exec"));
  EXPECT_THAT(shown.output, HasSubstr("a.cpp:4  four\n"));
  // Line 1 is part of two covered pairs, 2 of four (one of them twice), 3 and 4 of none.
  EXPECT_LT(shown.output.find("1. " + scratch.file("a.cpp:1")), shown.output.find("2. " + scratch.file("a.cpp:1")));
  EXPECT_LT(shown.output.find("1. "), shown.output.find("a.cpp:2  two"));
  EXPECT_LT(shown.output.find("a.cpp:2  two"), shown.output.find("2. "));
  EXPECT_EQ(shown.output.find('\x1b'), std::string::npos);
}

TEST(ShowCoverage, FitsTheTerminal) {
  const Scratch scratch;
  scratch.write("a.cpp", std::string(500, 'x') + "\n" + std::string(300, ' ') + "y\n");
  const std::string file = coverage_file(scratch, "c.json", json::array(), {{1, 2}, {2, 1}});
  for (const char* columns : {"20", "40", "80", "130"})
    EXPECT_LE(widest_line(show({"--coverage", file}, {{"COLUMNS", columns}}).output), std::stoul(columns)) << columns;
}

TEST(ShowCoverage, FailsIfLessIsCoveredThanBefore) {
  const Scratch scratch;
  const std::string before = coverage_file(scratch, "before.json", {{1, 2}, {2, 1}}, {{1, 1}});
  const std::string same = coverage_file(scratch, "same.json", {{1, 2}, {2, 1}, {3, 3}}, {{1, 1}});
  const std::string less = coverage_file(scratch, "less.json", {{1, 2}, {3, 3}}, {{1, 1}, {2, 1}});
  EXPECT_EQ(show({"--coverage", same, "--baseline", before}).exit_code, 0);
  const Finished lost = show({"--coverage", less, "--baseline", before});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.output, HasSubstr("1 pair is covered in the baseline and is not now:\n\n  1. "));
}

TEST(ShowCoverage, LooksAtChangedLines) {
  const Scratch scratch;
  // Line 2 was replaced by lines 2 and 3, and 7 is new.
  const std::string diff =
      scratch.write("diff",
                    "diff --git a/a.cpp b/a.cpp\n--- a/a.cpp\n+++ b/a.cpp\n@@ -2 +2,2 @@ f\n-old\n+new\n"
                    "+too\n@@ -5,0 +7 @@\n+more\n");
  const std::string before = coverage_file(scratch, "before.json", {{1, 2}, {5, 5}}, {{2, 1}});
  const std::string well = coverage_file(scratch, "well.json", {{1, 2}, {3, 1}}, {{2, 1}, {5, 5}});
  const std::string badly = coverage_file(scratch, "badly.json", {{1, 2}, {5, 5}}, {{2, 1}, {3, 1}});
  const Finished good = show({"--coverage", well, "--baseline", before, "--changed", diff});
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_THAT(good.output,
              HasSubstr("On changed lines, 2 of 3 sync pairs are covered; before the change it was 1 of 2."));
  const Finished bad = show({"--coverage", badly, "--baseline", before, "--changed", diff});
  EXPECT_EQ(bad.exit_code, 1) << bad.output;
  EXPECT_THAT(bad.output, HasSubstr("1 of 3 sync pairs are covered; before the change it was 1 of 2, which is more."));
  // Of new lines as much is expected as of all.
  const std::string only_new = scratch.write("new", "--- a/a.cpp\n+++ b/a.cpp\n@@ -5,0 +7 @@\n+more\n");
  const std::string covered = coverage_file(scratch, "covered.json", {{1, 7}, {7, 1}}, {{7, 7}});
  const std::string uncovered = coverage_file(scratch, "uncovered.json", {{1, 7}}, {{7, 7}, {7, 1}});
  EXPECT_EQ(show({"--coverage", covered, "--baseline", before, "--changed", only_new}).exit_code, 0);
  EXPECT_EQ(show({"--coverage", uncovered, "--baseline", before, "--changed", only_new}).exit_code, 1);
  EXPECT_EQ(show({"--coverage", uncovered, "--changed", only_new}).exit_code, 0);
}

TEST(ShowCoverage, RefusesWhatItCannotRead) {
  const Scratch scratch;
  const std::string file = coverage_file(scratch, "c.json", {{1, 2}}, json::array());
  const auto fails = [](const std::vector<std::string>& options, const std::string& why) {
    const Finished shown = show(options);
    EXPECT_EQ(shown.exit_code, 2);
    EXPECT_THAT(shown.error, HasSubstr(why));
    EXPECT_EQ(std::count(shown.error.begin(), shown.error.end(), '\n'), 1) << shown.error;
  };
  fails({}, "needs a trace or --coverage");
  fails({"--coverage", scratch.file("missing")}, "No such file");
  fails({"--coverage", scratch.path()}, "is no coverage file");
  fails({"--coverage", scratch.write("broken", "{\"file\": \"norn-coverage\"}")}, "is no coverage file");
  fails({"--coverage", scratch.write("other", "[1, 2")}, "is no coverage file");
  fails({"--coverage", scratch.write("kinds",
                                     "{\"file\":\"norn-coverage\",\"criterion\":\"sync-pairs\",\"executions\":1,"
                                     "\"covered\":[[1,2]],\"uncovered\":[]}")},
        "is no coverage file");
  const json good = json::parse(read_file(file));
  const auto with = [&](const char* key, const json& value) {
    json changed = good;
    changed[key] = value;
    return scratch.write("changed", changed.dump());
  };
  fails({"--coverage", with("executions", -1)}, "is no coverage file");
  fails({"--coverage", with("executions", 1e30)}, "is no coverage file");
  fails({"--coverage", with("infeasible", -5)}, "is no coverage file");
  fails({"--coverage", with("covered", {{"a", {"b:1", "c:2"}}})}, "is no coverage file");
  fails({"--coverage", file, "--changed", scratch.file("missing")}, "No such file");
  fails({"--coverage", file, "--changed", scratch.path()}, "cannot read");
  fails({"--coverage", file, "--changed", scratch.write("text", "no diff\n")}, "is no unified diff");
  fails({"--coverage", file, "--changed", scratch.write("hunk", "@@ -x +y @@\n")}, "is no unified diff");
  fails({"--coverage", file, "--html", "/nowhere/page.html"}, "cannot write");
  fails({"a.trace", "--coverage", file}, "not both");
  fails({"a.trace", "--baseline", file}, "need --coverage");
}

/// What is in a file cannot change the terminal.
TEST(ShowCoverage, ShowsHostileNamesAsText) {
  const Scratch scratch;
  const std::string file =
      scratch.write("c.json", json{{"file", "norn-coverage"},
                                   {"criterion", "\x1b[31m"},
                                   {"executions", 1},
                                   {"covered", json::array()},
                                   {"uncovered", json::array({json::array({"\x1b]0;x\x07:1", "a\nb:2"})})}}
                                  .dump());
  const Finished shown = show({"--coverage", file});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.output.find('\x1b'), std::string::npos);
  EXPECT_EQ(shown.output.find('\x07'), std::string::npos);
}

#ifdef STUDIES
/// Two subjects and a few runs: all tables have a row for each, and the plots are there.
TEST(Studies, AreDoneByOneCommand) {
  const Scratch scratch;
  const Finished done =
      run({STUDIES, "quick", scratch.path(), subject("two_threads"), subject("hash_set2")}, {{"NORN_BIN", norn_bin()}});
  ASSERT_EQ(done.exit_code, 0) << done.error;
  const std::string page = read_file(scratch.file("coverage-studies.md"));
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = page.find("| `hash_set2` |", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, 4);
  EXPECT_THAT(page, HasSubstr("| `two_threads` | 10 | 10 | 0 | 0 | 10 | 0 | 0 |"));  // study 3
  EXPECT_THAT(read_file(scratch.file("coverage/runs.svg")), HasSubstr("</svg>"));
  EXPECT_THAT(read_file(scratch.file("coverage/time.svg")), HasSubstr("hash_set2"));
  EXPECT_THAT(read_file(scratch.file("coverage/runs.dat")), HasSubstr("# two_threads coverage\n"));
  EXPECT_THAT(read_file(scratch.file("coverage/time.dat")), HasSubstr("# hash_set2 sleep10\n"));
}
#endif

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
