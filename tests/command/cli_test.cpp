// The contract of the command line: exit codes, the summary, what goes to which stream, and what the options do.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <thread>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// --- Help and lists --------------------------------------------------------------------------------------------------

TEST(Help, IsThereForEveryCommand) {
  const std::vector<Words> questions = {
      {"--help"}, {"check", "--help"}, {"replay", "--help"}, {"strategies", "--help"}};
  for (const Words& question : questions) {
    const Finished finished = norn(question);
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.error, "");
    EXPECT_TRUE(contains(finished.output, "Usage: norn")) << finished.output;
  }
  for (const char* const command : {"check", "replay", "strategies"})
    EXPECT_TRUE(contains(norn({"--help"}).output, std::string("\n  ") + command)) << command;
}

TEST(Help, NamesEveryOptionOfTheContract) {
  const std::string help = norn({"check", "--help"}).output;
  for (const char* const option :
       {"--strategy",  "--preemptions", "--max-executions", "--max-seconds", "--max-steps", "--keep-going", "--plain",
        "--races",     "--wakeup",      "--spurious",       "--isolation",   "--threads",   "--seed",       "--json",
        "--trace-dir", "--quiet",       "--no-color",       "--cflags",      "--ldflags",   "--std"})
    EXPECT_TRUE(contains(help, option)) << option;
  EXPECT_TRUE(contains(help, "Exit codes: 0")) << "what a script needs most";
}

TEST(Help, HasAVersion) {
  const Finished finished = norn({"--version"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_TRUE(std::regex_match(finished.output, std::regex("norn [0-9]+\\.[0-9]+\\.[0-9]+\n"))) << finished.output;
}

TEST(Strategies, AreListedOneALineAndAccepted) {
  const Finished finished = norn({"strategies"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.error, "");
  std::set<std::string> names;
  for (const std::string& line : lines(finished.output)) {
    const std::string name = line.substr(0, line.find(' '));
    EXPECT_TRUE(std::regex_match(line, std::regex("[a-z-]+ +[^ ].*"))) << line;
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    const Finished checked =
        norn({"check", program("locks.c"), "--strategy", name, "--max-executions", "10", "--json", "-"});
    EXPECT_EQ(nlohmann::json::parse(checked.output, nullptr, false).value("strategy", ""), name) << checked.error;
  }
  for (const char* const name : {"auto", "exhaustive", "random", "pct", "pos"})
    EXPECT_TRUE(names.contains(name)) << name;
}

// --- Exit codes and the summary --------------------------------------------------------------------------------------

TEST(Summary, OfACorrectProgram) {
  // Two threads, two locks each: 4!/(2! 2!) runs of four events.
  const Checked checked = check(program("locks.c"), {"--strategy", "exhaustive"}, {"2", "2"});
  EXPECT_EQ(checked.finished.exit_code, 0);
  EXPECT_EQ(checked.finished.error, "");
  const json& summary = checked.summary;
  std::set<std::string> keys;
  for (const auto& [key, value] : summary.items()) keys.insert(key);
  for (const char* const key : {"norn",
                                "program",
                                "strategy",
                                "memory_model",
                                "verdict",
                                "complete",
                                "reasons",
                                "executions",
                                "partial_runs",
                                "distinct",
                                "deadlocks",
                                "events",
                                "threads_max",
                                "seconds",
                                "executions_per_second",
                                "peak_memory_bytes",
                                "bugs",
                                "coverage",
                                "inputs",
                                "unfolding"})
    EXPECT_TRUE(keys.contains(key)) << key;
  EXPECT_EQ("norn " + summary["norn"].get<std::string>() + "\n", norn({"--version"}).output);
  EXPECT_EQ(summary["program"], program("locks.c"));
  EXPECT_EQ(summary["strategy"], "exhaustive");
  EXPECT_EQ(summary["memory_model"], "sc");
  EXPECT_EQ(summary["verdict"], "pass");
  EXPECT_EQ(summary["complete"], true);
  EXPECT_EQ(summary["reasons"], json::array());
  EXPECT_EQ(summary["executions"], 6);
  EXPECT_EQ(summary["partial_runs"], 0);
  EXPECT_EQ(summary["distinct"], 6);
  EXPECT_EQ(summary["deadlocks"], 0);
  EXPECT_EQ(summary["events"], 24);
  EXPECT_EQ(summary["threads_max"], 3);
  EXPECT_GE(summary["seconds"].get<double>(), 0);
  EXPECT_GT(summary["executions_per_second"].get<double>(), 0);
  EXPECT_GT(summary["peak_memory_bytes"].get<double>(), 100'000);
  EXPECT_EQ(summary["bugs"], json::array());
  for (const char* const key : {"coverage", "inputs", "unfolding"}) EXPECT_TRUE(summary[key].is_object()) << key;
}

TEST(Summary, OfABug) {
  const Scratch scratch;
  const Finished finished = norn({"check", program("failures.cpp"), "--json", scratch.file("summary"), "--trace-dir",
                                  scratch.file("traces"), "--", "assertion"});
  EXPECT_EQ(finished.exit_code, 1);
  const json summary = json::parse(read_file(scratch.file("summary")));
  EXPECT_EQ(summary["verdict"], "bug");
  EXPECT_EQ(summary["complete"], false);
  ASSERT_EQ(summary["bugs"].size(), 1U);
  const json& bug = summary["bugs"][0];
  EXPECT_EQ(bug["kind"], "assertion");
  EXPECT_TRUE(contains(bug["message"], "seen == 0")) << bug;
  EXPECT_EQ(bug["thread"], "main/1");
  EXPECT_TRUE(std::regex_search(bug["location"].get<std::string>(), std::regex("failures\\.cpp:[0-9]+$"))) << bug;
  EXPECT_EQ(bug["count"], 1);
  EXPECT_TRUE(bug["preemptions"].is_number_unsigned());
  EXPECT_TRUE(fs::exists(bug["trace"].get<std::string>())) << bug;
  EXPECT_EQ(fs::path(bug["trace"].get<std::string>()).parent_path(), scratch.file("traces"));
  // And the same for a person.
  for (const char* const part : {"bug: assertion", "main/1", "store value <- 1", "load value = 1", "check_value",
                                 "this is assertion", "1 bug found"})
    EXPECT_TRUE(contains(finished.output, part)) << part << " is missing in\n" << finished.output;
  EXPECT_TRUE(contains(bug["summary"], "assertion `seen == 0` failed in thread main/1")) << bug;
  EXPECT_EQ(lines(finished.output).back(), "norn replay " + bug["trace"].get<std::string>());
}

TEST(Summary, NamesTheObjectsOfThePrograms) {
  const Checked checked = check(program("failures.cpp"), {}, {"deadlock"});
  EXPECT_TRUE(contains(checked.finished.output, "other_mutex")) << checked.finished.output;
  // `i`, `b` and `m` are also how int, bool and unsigned long are abbreviated in mangled names.
  const Checked brief = check(program("short_names.c"));
  EXPECT_TRUE(std::regex_search(brief.finished.output, std::regex("store i <- 1 "))) << brief.finished.output;
  EXPECT_TRUE(std::regex_search(brief.finished.output, std::regex("lock m "))) << brief.finished.output;
}

TEST(Summary, OnStandardOutputIsAloneThere) {
  const Scratch scratch;
  for (const char* const name : {"locks.c", "early_output.c", "several_bugs.c"}) {
    const Finished finished =
        norn({"check", program(name), "--json", "-", "--trace-dir", scratch.file("traces"), "--keep-going"});
    EXPECT_EQ(finished.exit_code, name == std::string("several_bugs.c") ? 1 : 0);
    const json summary = json::parse(finished.output, nullptr, false);
    EXPECT_TRUE(summary.is_object()) << finished.output;
  }
}

TEST(Summary, GoesToItsFileWhateverElseIsAsked) {
  const Scratch scratch;
  const Finished finished =
      norn({"check", program("locks.c"), "--quiet", "--json", scratch.file("s"), "--trace-dir", scratch.file("t")});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.output + finished.error, "");
  EXPECT_EQ(json::parse(read_file(scratch.file("s")))["verdict"], "pass");
  EXPECT_FALSE(fs::exists(scratch.file("t"))) << "there is nothing to put there";
}

TEST(Quiet, LeavesTheExitCode) {
  const Scratch scratch;
  const std::string traces = scratch.file("traces");
  Finished finished = norn({"check", program("several_bugs.c"), "--quiet", "--trace-dir", traces});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.output + finished.error, "");
  EXPECT_TRUE(fs::exists(traces + "/several_bugs-1.trace"));
  finished = norn({"check", program("locks.c"), "--quiet", "--max-executions", "1", "--trace-dir", traces});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_EQ(finished.output + finished.error, "");
}

TEST(Color, IsForTerminals) {
  const Scratch scratch;
  const std::string traces = " --trace-dir '" + scratch.file("traces") + "'";
  const std::string command = "norn check '" + program("several_bugs.c") + "'" + traces;
  EXPECT_FALSE(contains(shell(command).output, "\x1b"));
  // script gives the command a terminal.
  if (shell("command -v script").exit_code != 0) GTEST_SKIP() << "script is not installed";
  const auto on_terminal = [&](const std::string& rest, const std::map<std::string, std::string>& environment = {}) {
    return shell("script -qec \"stty cols 60; " + command + rest + "\" /dev/null", environment).output;
  };
  EXPECT_TRUE(contains(on_terminal(""), "\x1b[1;31m"));
  EXPECT_FALSE(contains(on_terminal(" --no-color"), "\x1b"));
  EXPECT_FALSE(contains(on_terminal("", {{"NO_COLOR", "1"}}), "\x1b"));
}

TEST(Width, IsThatOfTheTerminal) {
  const Scratch scratch;
  const std::string command =
      "norn check '" + program("failures.cpp") + "' --no-color --trace-dir '" + scratch.file("traces") + "'";
  const auto widest = [](const std::string& output) {
    std::size_t width = 0;
    for (const std::string& line : lines(output))
      if (!contains(line, "/")) width = std::max(width, line.size() - (line.ends_with('\r') ? 1 : 0));
    return width;
  };
  const std::size_t piped = widest(shell(command + " -- deadlock").output);
  EXPECT_GT(piped, 80U);
  EXPECT_LE(piped, 100U);
  EXPECT_LE(widest(shell(command + " -- deadlock", {{"COLUMNS", "60"}}).output), 60U);
  if (shell("command -v script").exit_code != 0) GTEST_SKIP() << "script is not installed";
  for (const std::size_t width : {40U, 70U})
    EXPECT_LE(
        widest(shell("script -qec \"stty cols " + std::to_string(width) + "; " + command + " -- deadlock\" /dev/null")
                   .output),
        width);
}

// --- What can be given -----------------------------------------------------------------------------------------------

TEST(Arguments, AreTheSameInEveryRun) {
  const Checked checked = check(program("takes_arguments.c"), {}, {"first", "second"});
  EXPECT_EQ(checked.executions(), 2U);
  ASSERT_EQ(checked.outcomes.size(), 1U);
  EXPECT_EQ(checked.outcomes.begin()->first.second, "3 first second\n");
}

TEST(Arguments, AfterTwoDashesGoToTheProgram) {
  const Checked checked = check(program("arguments.c"), {}, {"--json", "", "a b", "--", "-x"});
  ASSERT_EQ(checked.outcomes.size(), 1U) << checked.finished.error;
  EXPECT_EQ(checked.outcomes.begin()->first.second, "--json\n\na b\n--\n-x\n");
}

TEST(Sources, CanBeSeveralInBothLanguagesWithFlags) {
  const Scratch scratch;
  const Words command = {"check",
                         program("two_parts.cpp"),
                         program("two_parts_answer.c"),
                         "--cflags",
                         "-DEXPECTED=42 -Wall",
                         "--ldflags",
                         "-lm",
                         "--trace-dir",
                         scratch.file("traces")};
  const Finished finished = norn(command);
  EXPECT_EQ(finished.exit_code, 0) << finished.output << finished.error;
  // The same with another value is another program, and the program says so with its exit code.
  Words other = command;
  other[4] = "-DEXPECTED=43";
  EXPECT_EQ(norn(other).exit_code, 1);
  Words old = command;
  old.insert(old.end(), {"--std", "c++17"});
  const Finished failed = norn(old);
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_TRUE(contains(failed.error, "static assertion failed")) << failed.error;
}

TEST(Executables, OfTheWrappersCanBeChecked) {
  const Scratch scratch;
  const std::string at = "cd '" + scratch.path() + "' && ";
  ASSERT_EQ(shell(at + "norn-cc '" + program("locks.c") + "' -o c_program").exit_code, 0);
  ASSERT_EQ(shell(at + "norn-c++ -x c++ '" + program("locks.c") + "' -o cxx_program").exit_code, 0);
  for (const char* const name : {"c_program", "cxx_program"}) {
    const Checked checked = check(scratch.file(name), {}, {"2", "2"});
    EXPECT_EQ(checked.finished.exit_code, 0) << checked.finished.error;
    EXPECT_EQ(checked.executions(), 6U);
  }
  // And without Norn they are ordinary programs.
  EXPECT_EQ(shell(at + "./c_program 3 3 && ./cxx_program 3 3").exit_code, 0);
}

TEST(Executables, OfAMakefileCanBeChecked) {
  const Scratch scratch;
  scratch.write("Makefile",
                "CFLAGS = -O2 -g\nall: demo\ndemo: main.o work.o\n\t$(CXX) $(LDFLAGS) -o $@ $^ -pthread\n"
                "main.o: main.cpp\n\t$(CXX) $(CFLAGS) -c $<\nwork.o: work.c\n\t$(CC) $(CFLAGS) -c $<\n");
  scratch.write("main.cpp", "extern \"C\" int run(void);\nint main() { return run(); }\n");
  scratch.write("work.c",
                "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                "static void* work(void* p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\n"
                "int run(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); return pthread_join(t, 0); }\n");
  const Finished built = shell("make -C '" + scratch.path() + "' CC=norn-cc CXX=norn-c++");
  ASSERT_EQ(built.exit_code, 0) << built.output << built.error;
  EXPECT_EQ(check(scratch.file("demo")).executions(), 2U);
}

TEST(Executables, OfACMakeProjectCanBeChecked) {
  const Scratch scratch;
  scratch.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.20)\nproject(demo LANGUAGES C)\nfind_package(Threads REQUIRED)\n"
                "add_executable(demo locks.c)\ntarget_link_libraries(demo PRIVATE Threads::Threads)\n");
  fs::copy_file(program("locks.c"), scratch.file("locks.c"));
  const Finished built = shell("cd '" + scratch.path() + "' && cmake -S . -B build -DCMAKE_C_COMPILER=norn-cc " +
                               "-DCMAKE_BUILD_TYPE=Release && cmake --build build");
  ASSERT_EQ(built.exit_code, 0) << built.output << built.error;
  EXPECT_EQ(check(scratch.file("build/demo"), {}, {"3"}).executions(), 6U);
}

TEST(Cache, SparesTheSecondCompilation) {
  const Scratch scratch;
  // A compiler that notes what it is asked; the wrapper knows the family from the end of the name.
  for (const std::string driver : {"gcc", "g++"}) {
    scratch.write("noting-" + driver,
                  "#!/bin/sh\necho \"$@\" >> '" + scratch.file("asked") + "'\nexec " + driver + " \"$@\"\n");
    fs::permissions(scratch.file("noting-" + driver), fs::perms::owner_all);
  }
  const std::map<std::string, std::string> environment = {{"NORN_COMPILER", scratch.file("noting-g++")},
                                                          {"NORN_CACHE", scratch.file("cache")}};
  const auto compilations = [&] {
    std::size_t count = 0;
    for (const std::string& line : lines(read_file(scratch.file("asked")))) count += contains(line + " ", " -c ");
    return count;
  };
  const auto check_again = [&](const Words& options) {
    Words words = {"check", program("locks.c"), "--trace-dir", scratch.file("traces")};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(norn(words, environment).exit_code, 0);
  };
  check_again({});
  EXPECT_EQ(compilations(), 1U) << read_file(scratch.file("asked"));
  check_again({});
  check_again({"--wakeup", "fifo", "--", "1"});
  EXPECT_EQ(compilations(), 1U) << read_file(scratch.file("asked"));
  check_again({"--cflags", "-O2"});
  EXPECT_EQ(compilations(), 2U) << read_file(scratch.file("asked"));
}

// --- Strategies that sample, and limits ------------------------------------------------------------------------------

TEST(Sampling, IsNeverComplete) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    // There is only one interleaving, and still.
    const Checked checked = check(program("locks.c"), {"--strategy", strategy, "--max-executions", "20"}, {"1"});
    EXPECT_EQ(checked.finished.exit_code, 3);
    EXPECT_EQ(checked.verdict(), "incomplete");
    EXPECT_EQ(checked.summary["complete"], false);
    EXPECT_EQ(checked.executions(), 20U);
    EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "samples")) << checked.summary["reasons"];
    for (const auto& reason : checked.summary["reasons"])
      EXPECT_TRUE(contains(checked.finished.output, reason)) << checked.finished.output;
  }
}

// Strategy dpor cannot go on from a run with a race, but that it has found one is what counts: exhaustive, which auto
// would go on with, comes to it only after many thousands of runs.
TEST(Auto, ReportsARaceWhereItIsFound) {
  const Checked checked = check(program("late_race.c"), {"--max-executions", "10"});
  EXPECT_EQ(checked.finished.exit_code, 1);
  EXPECT_EQ(checked.verdict(), "bug");
}

// What the runs before a restart were like does not count: they did not show all operations.
TEST(Sampling, FindsNoMoreBehavioursThanThereAre) {
  const Checked all = check(program("tries.c"), {"--strategy", "dpor"});
  EXPECT_EQ(all.finished.exit_code, 0);
  const Checked sampled = check(program("tries.c"), {"--strategy", "random", "--max-executions", "500"});
  EXPECT_EQ(sampled.summary["distinct"], all.summary["distinct"]);
}

TEST(Sampling, HasABudgetOfItsOwn) {
  const Checked checked = check(program("locks.c"), {"--strategy", "random"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_GE(checked.executions(), 1000U);
}

TEST(Sampling, OfPctSaysWhatItGuarantees) {
  // Four threads with the main one, three of which take six steps together: 1/(4 * 6^2).
  const Checked checked = check(program("locks.c"), {"--strategy", "pct", "--max-executions", "20"}, {"3", "2"});
  for (const char* const part : {"depth 3", "n = 4 threads", "6 steps", "0.00694"})
    EXPECT_TRUE(contains(checked.finished.output, part)) << part << " is missing in\n" << checked.finished.output;
  EXPECT_TRUE(contains(checked.summary.value("guarantee", ""), "k = 6")) << checked.summary;
  const Checked shallow = check(program("locks.c"), {"--strategy", "pct", "--max-executions", "5", "--pct-depth", "1"});
  EXPECT_TRUE(contains(shallow.finished.output, "depth 1")) << shallow.finished.output;
}

TEST(Sampling, RepeatsItselfWithTheSameSeed) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    const auto runs = [&](const char* seed) {
      return check(program("locks.c"), {"--strategy", strategy, "--max-executions", "50", "--seed", seed}, {"3", "3"})
          .runs;
    };
    const auto first = runs("7");
    ASSERT_EQ(first.size(), 50U);
    EXPECT_EQ(runs("7"), first) << strategy;
    EXPECT_NE(runs("8"), first) << strategy;
    EXPECT_GT(std::set<std::string>(first.begin(), first.end()).size(), 3U) << strategy << " does not vary";
  }
}

TEST(Limits, OfExecutions) {
  const Checked checked = check(program("locks.c"), {"--max-executions", "4"}, {"2", "2"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_EQ(checked.executions(), 4U);
  EXPECT_EQ(checked.runs.size(), 4U);
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "--max-executions")) << checked.summary;
  // A limit that is not reached changes nothing.
  EXPECT_EQ(check(program("locks.c"), {"--max-executions", "7"}, {"2", "2"}).finished.exit_code, 0);
}

TEST(Limits, OfSeconds) {
  const auto before = std::chrono::steady_clock::now();
  const Finished finished = norn({"check", program("locks.c"), "--max-seconds", "0.3", "--", "4", "8"});
  EXPECT_EQ(finished.exit_code, 3) << finished.error;
  EXPECT_TRUE(contains(finished.output, "--max-seconds")) << finished.output;
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

/// Not only between runs.
TEST(Limits, CutRunsThatAreUnderWay) {
  for (const std::string strategy : {"pos", "exhaustive", "dpor"})
    for (const std::string isolation : {"snapshot", "fork"}) {
      SCOPED_TRACE(strategy + " " + isolation);
      const auto start = std::chrono::steady_clock::now();
      const Checked checked =
          check(program("long_run.c"), {"--strategy", strategy, "--isolation", isolation, "--max-seconds", "0.2"});
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));  // it would take minutes
      EXPECT_EQ(checked.finished.exit_code, 3);
      EXPECT_EQ(checked.executions(), 0);
      EXPECT_TRUE(contains(checked.finished.output, "(--max-seconds), in the middle of a run"))
          << checked.finished.output;
    }
}

// What is done for every step of a run must not take longer and longer.
TEST(Limits, EndLongRunsSoon) {
  const Checked checked = check(program("counting.c"), {"--max-seconds", "15"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  const std::string reasons = checked.summary["reasons"].dump();
  EXPECT_TRUE(contains(reasons, "--max-steps") && !contains(reasons, "--max-seconds")) << reasons;
}

TEST(Limits, OfSteps) {
  const Checked checked = check(program("locks.c"), {"--max-steps", "5"}, {"2", "3"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "--max-steps")) << checked.summary;
}

TEST(Limits, OfThreads) {
  const Checked checked = check(program("locks.c"), {"--max-threads", "3"}, {"3"});
  EXPECT_EQ(checked.finished.exit_code, 3);
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "--max-threads")) << checked.summary;
  EXPECT_EQ(check(program("locks.c"), {"--max-threads", "4"}, {"3"}).finished.exit_code, 0);
}

TEST(KeepGoing, CountsBugs) {
  const Checked first = check(program("several_bugs.c"));
  EXPECT_EQ(first.summary["bugs"].size(), 1U);
  EXPECT_TRUE(contains(first.summary["reasons"].dump(), "--keep-going")) << first.summary;
  const Checked all = check(program("several_bugs.c"), {"--keep-going"});
  EXPECT_EQ(all.finished.exit_code, 1);
  EXPECT_EQ(all.executions(), 6U);
  EXPECT_EQ(all.summary["deadlocks"], 0);
  ASSERT_EQ(all.summary["bugs"].size(), 2U) << all.summary;
  for (const auto& bug : all.summary["bugs"]) EXPECT_EQ(bug["count"], 2) << bug;
  EXPECT_NE(all.summary["bugs"][0]["trace"], all.summary["bugs"][1]["trace"]);
  EXPECT_NE(all.summary["bugs"][0]["message"], all.summary["bugs"][1]["message"]);
}

TEST(KeepGoing, CountsDeadlocks) {
  const Checked all = check(program("several_bugs.c"), {"--keep-going"}, {"deadlocks"});
  // One thread first, the other first, or both have one of the locks.
  EXPECT_EQ(all.executions(), 3U);
  EXPECT_EQ(all.summary["deadlocks"], 1);
  ASSERT_EQ(all.summary["bugs"].size(), 1U) << all.summary;
  EXPECT_EQ(all.summary["bugs"][0]["kind"], "deadlock");
  EXPECT_EQ(all.summary["bugs"][0]["count"], 1);
}

TEST(Wakeup, OfAnyWaiterFindsMoreThanOfTheFirst) {
  const Checked any = check(program("failures.cpp"), {"--wakeup", "any"}, {"wakeup"});
  EXPECT_EQ(any.first_bug(), "assertion") << any.finished.output << any.finished.error;
  const Checked first = check(program("failures.cpp"), {"--wakeup", "fifo"}, {"wakeup"});
  EXPECT_EQ(first.finished.exit_code, 0) << first.finished.output << first.finished.error;
}

TEST(Spurious, WakeupsAreOnRequest) {
  const Checked without = check(program("failures.cpp"), {}, {"spurious"});
  EXPECT_EQ(without.finished.exit_code, 0) << without.finished.output << without.finished.error;
  const Checked with = check(program("failures.cpp"), {"--spurious", "1"}, {"spurious"});
  EXPECT_EQ(with.first_bug(), "assertion") << with.finished.output << with.finished.error;
  EXPECT_TRUE(contains(with.finished.output, "spurious")) << with.finished.output;
}

// --- When something comes in between ---------------------------------------------------------------------------------

TEST(Interrupt, EndsWithASummary) {
  using namespace std::chrono_literals;
  for (const char* const isolation : {"snapshot", "fork"}) {
    const Scratch scratch;
    ASSERT_EQ(norn({"check", program("locks.c"), "--quiet"}).exit_code, 0) << "compiled once, beforehand";
    Job job({norn_bin() + "/norn", "check", program("locks.c"), "--isolation", isolation, "--json",
             scratch.file("summary"), "--trace-dir", scratch.file("traces"), "--", "4", "8"});
    ASSERT_NE(job.wait_for_child("locks"), 0);
    std::this_thread::sleep_for(300ms);
    job.interrupt();
    const Finished finished = job.wait();
    EXPECT_EQ(finished.exit_code, 3) << finished.error;
    EXPECT_EQ(finished.error, "");
    EXPECT_TRUE(contains(finished.output, "interrupted")) << finished.output;
    const json summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
    ASSERT_TRUE(summary.is_object());
    EXPECT_EQ(summary["verdict"], "incomplete");
    EXPECT_GT(summary["executions"].get<int>(), 0);
  }
}

// A script that gives up on norn must not leave a process behind that explores on for hours.
TEST(Terminate, LeavesNobodyBehind) {
  using namespace std::chrono_literals;
  ASSERT_EQ(norn({"check", program("locks.c"), "--quiet"}).exit_code, 0) << "compiled once, beforehand";
  Job job({norn_bin() + "/norn", "check", program("locks.c"), "--quiet", "--", "4", "8"});
  const pid_t child = job.wait_for_child("locks");
  ASSERT_NE(child, 0);
  job.kill_command();
  EXPECT_EQ(job.wait().exit_code, 128 + SIGKILL);
  for (int i = 0; i < 200 && fs::exists("/proc/" + std::to_string(child) + "/exe"); ++i)
    std::this_thread::sleep_for(10ms);
  std::error_code gone;
  EXPECT_TRUE(fs::read_symlink("/proc/" + std::to_string(child) + "/exe", gone).empty());
  if (!gone) kill(child, SIGKILL);
}

TEST(FullDisk, CostsTheTraceAndNotTheVerdict) {
  const Scratch scratch;
  const std::string file = scratch.write("file", "");
  const Finished finished = norn({"check", program("several_bugs.c"), "--trace-dir", file + "/traces"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_TRUE(contains(finished.output, "1 bug found")) << finished.output;
  EXPECT_FALSE(contains(finished.output, "norn replay")) << finished.output;
  ASSERT_EQ(lines(finished.error).size(), 1U) << finished.error;
  EXPECT_TRUE(contains(finished.error, file + "/traces")) << finished.error;
  EXPECT_FALSE(contains(finished.error, "filesystem error")) << "that is no sentence for users: " << finished.error;
  // Without a bug there is nothing to be lost.
  const Finished passed = norn({"check", program("locks.c"), "--trace-dir", file + "/traces"});
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_EQ(passed.error, "");
}

TEST(FullDisk, CostsTheSummaryAndNotTheVerdict) {
  const Scratch scratch;
  for (const char* const option : {"--json", "--junit", "--sarif", "--html", "--outcomes", "--list-runs"}) {
    const Finished finished =
        norn({"check", program("several_bugs.c"), option, "/dev/full", "--trace-dir", scratch.file("traces")});
    EXPECT_EQ(finished.exit_code, 1) << option;
    EXPECT_TRUE(contains(finished.output, "1 bug found")) << finished.output;
    ASSERT_EQ(lines(finished.error).size(), 1U) << finished.error;
    EXPECT_TRUE(contains(finished.error, "/dev/full")) << finished.error;
  }
}

TEST(FullDisk, IsNoPass) {
  for (const char* const option : {"--json", "--junit", "--outcomes"})
    EXPECT_EQ(norn({"check", program("locks.c"), option, "/dev/full"}).exit_code, 2) << option;
}

TEST(ClosedStreams, CostNeitherVerdictNorFiles) {
  const Scratch scratch;
  const auto check_with = [&](const std::string& source, const std::string& streams) {
    const std::string command = norn_bin() + "/norn check " + program(source) + " --trace-dir " +
                                scratch.file("traces") + " --json " + scratch.file("summary") + " " + streams;
    return run({"sh", "-c", command}).exit_code;
  };
  EXPECT_EQ(check_with("several_bugs.c", "<&- >&- 2>&-"), 1);
  EXPECT_EQ(json::parse(read_file(scratch.file("summary")))["verdict"], "bug");
  EXPECT_EQ(check_with("several_bugs.c", ">/dev/full 2>/dev/full"), 1);
  EXPECT_EQ(check_with("missing.c", "2>/dev/full"), 2);
  EXPECT_EQ(check_with("locks.c", "2>&-"), 0);
}

TEST(FullDisk, IsNoticedBeforehandWhereThatIsPossible) {
  for (const char* const option : {"--json", "--junit", "--sarif", "--html", "--outcomes", "--list-runs"})
    expect_input_error(norn({"check", program("locks.c"), option, "/nowhere/file"}), "/nowhere/file");
}

}  // namespace
}  // namespace norn::test
