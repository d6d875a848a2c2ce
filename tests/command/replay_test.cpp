// A recorded run can be run again, in new processes, as often as one likes, and under a debugger.

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <regex>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;

struct Way {
  std::string argument;
  std::string kind;
  std::string thread;
  Words options = {};

  friend std::ostream& operator<<(std::ostream& stream, const Way& way) { return stream << way.argument; }
};

/// Checks failures.cpp and gives the path of the trace.
std::string record(const Scratch& scratch, const Way& way) {
  Words words = {"check",  program("failures.cpp"), "--trace-dir", scratch.path(), "--quiet",
                 "--json", scratch.file("summary")};
  words.insert(words.end(), way.options.begin(), way.options.end());
  words.insert(words.end(), {"--", way.argument});
  const Finished finished = norn(words);
  EXPECT_EQ(finished.exit_code, 1) << finished.error;
  const auto summary = nlohmann::json::parse(read_file(scratch.file("summary")), nullptr, false);
  if (!summary.is_object() || summary["bugs"].empty()) return "no trace";
  EXPECT_EQ(summary["bugs"][0]["kind"], way.kind);
  EXPECT_EQ(summary["bugs"][0]["thread"], way.thread);
  return summary["bugs"][0]["trace"];
}

class Replays : public testing::TestWithParam<Way> {
 protected:
  static void expect_same(const std::string& trace, const Words& options, int times) {
    Words words = {"replay", trace};
    words.insert(words.end(), options.begin(), options.end());
    const Finished first = norn(words);
    EXPECT_EQ(first.exit_code, 1) << first.output << first.error;
    EXPECT_EQ(first.error, "");
    EXPECT_TRUE(contains(first.output, "this is " + GetParam().argument + "\n")) << first.output;
    EXPECT_TRUE(contains(first.output, GetParam().kind)) << first.output;
    for (int i = 1; i < times; ++i) {
      const Finished next = norn(words);
      ASSERT_EQ(next.exit_code, first.exit_code) << "the replay number " << i << ": " << next.error;
      ASSERT_EQ(next.output, first.output) << "the replay number " << i;
      ASSERT_EQ(next.error, first.error) << "the replay number " << i;
    }
  }
};

TEST_P(Replays, TheSameEveryTime) {
  const Scratch scratch;
  expect_same(record(scratch, GetParam()), {}, 100);
}

TEST_P(Replays, TheSameWithRealThreads) {
  const Scratch scratch;
  expect_same(record(scratch, GetParam()), {"--threads", "os"}, 20);
}

INSTANTIATE_TEST_SUITE_P(Bugs, Replays,
                         testing::Values(Way{"assertion", "assertion", "main/1"}, Way{"deadlock", "deadlock", "main"},
                                         Way{"exception", "exception", "main"}, Way{"crash", "crash", "main"},
                                         Way{"exit", "exit", "main"}, Way{"abort", "abort", "main"},
                                         Way{"wakeup", "assertion", "main"}, Way{"timeout", "assertion", "main"},
                                         Way{"spurious", "assertion", "main", {"--spurious", "1"}},
                                         Way{"nested", "assertion", "main/1/1"}, Way{"try-lock", "assertion", "main"}),
                         [](const auto& way) {
                           std::string name = way.param.argument;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Replay, OfRunsFoundBySampling) {
  for (const char* const strategy : {"random", "pct", "pos"}) {
    const Scratch scratch;
    const std::string trace = record(scratch, {"wakeup", "assertion", "main", {"--strategy", strategy}});
    for (int i = 0; i < 10; ++i) EXPECT_EQ(norn({"replay", trace}).exit_code, 1);
  }
}

TEST(Replay, OfRunsFoundWithOtherExecutors) {
  for (const char* const options : {"--isolation=fork", "--isolation=none", "--threads=os"}) {
    const Scratch scratch;
    const std::string trace = record(scratch, {"nested", "assertion", "main/1/1", {options}});
    EXPECT_EQ(norn({"replay", trace}).exit_code, 1) << options;
    EXPECT_EQ(norn({"replay", trace, "--threads", "os"}).exit_code, 1) << options;
    EXPECT_EQ(norn({"replay", trace, "--threads", "fiber"}).exit_code, 1) << options;
  }
}

// A run that ends early does not flush what the program has printed; the reader wants to see it all the same.
/// Stacks are in the same place whoever runs the threads, so what is visible there is so in every replay.
TEST(Replay, OfVisibleVariablesOnStacks) {
  const Scratch scratch;
  for (const std::string recording : {"fiber", "os"}) {
    const Finished found = norn({"check", program("shared_local.c"), "--plain", "visible", "--races", "ignore",
                                 "--threads", recording, "--trace-dir", scratch.file(recording)});
    ASSERT_EQ(found.exit_code, 1) << found.output << found.error;
    for (const std::string replaying : {"fiber", "os"})
      EXPECT_EQ(norn({"replay", scratch.file(recording) + "/shared_local-1.trace", "--threads", replaying}).exit_code,
                1)
          << recording << ", " << replaying;
  }
}

TEST(Replay, ShowsWhatTheProgramDidNotFlush) {
  const Scratch scratch;
  const Finished checked = norn({"check", program("failures.cpp"), "--trace-dir", scratch.path(), "--", "unflushed"});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_TRUE(contains(checked.output, "not flushed")) << checked.output;
  const Finished replayed = norn({"replay", scratch.file("failures-1.trace")});
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_TRUE(contains(replayed.output, "not flushed")) << replayed.output;
}

TEST(Replay, OnlyShowsTheProgramIfQuiet) {
  const Scratch scratch;
  const std::string trace = record(scratch, {"assertion", "assertion", "main/1"});
  const Finished finished = norn({"replay", trace, "--quiet"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.output, "this is assertion\n");
}

TEST(Replay, WorksFromAnyDirectory) {
  const Scratch scratch;
  const std::string trace = record(scratch, {"assertion", "assertion", "main/1"});
  EXPECT_EQ(shell("cd / && norn replay '" + trace + "'").exit_code, 1);
}

// --- Programs that changed -------------------------------------------------------------------------------------------

class Changed : public testing::Test {
 protected:
  void SetUp() override {
    compile("ORIGINAL");
    const Finished finished = norn({"check", scratch_.file("program"), "--trace-dir", scratch_.path(), "--quiet"});
    ASSERT_EQ(finished.exit_code, 1) << finished.error;
    ASSERT_EQ(replay().exit_code, 1);
  }

  void compile(const std::string& variant) {
    const Finished built =
        shell("norn-cc -DVARIANT=" + variant + " '" + program("changed.c") + "' -o '" + scratch_.file("program") + "'");
    ASSERT_EQ(built.exit_code, 0) << built.error;
  }

  Finished replay() { return norn({"replay", scratch_.file("program-1.trace")}); }

  void expect_divergence(const std::string& variant, const Words& parts) {
    compile(variant);
    const Finished finished = replay();
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_EQ(lines(finished.error).size(), 1U) << finished.error;
    for (const std::string& part : parts)
      EXPECT_TRUE(contains(finished.error, part)) << '"' << part << "\" is missing in " << finished.error;
  }

  Scratch scratch_;
};

// The recording is: 1. main stores 1, 2. main/1 loads it and fails.
TEST_F(Changed, ProgramsDiverge) {
  expect_divergence("OTHER_OPERATION", {"event 2", "main/1 atomic.load", "main/1 atomic.update"});
  expect_divergence("SHORTER", {"event 2", "main/1 atomic.load"});
  expect_divergence("LONGER", {"after event 2", "goes on"});
  expect_divergence("OTHER_THREADS", {"event 1", "main atomic.store"});
}

TEST_F(Changed, ProgramsMayEndDifferently) { expect_divergence("CORRECT", {"differently", "assertion", "finished"}); }

// The schedule still fits, but another assertion fails: what is shown must be what happens now.
TEST_F(Changed, ProgramsMayFailDifferently) {
  compile("OTHER_FAILURE");
  const Finished finished = replay();
  EXPECT_TRUE(contains(finished.output + finished.error, "seen == 2")) << finished.output << finished.error;
}

TEST_F(Changed, ProgramsThatAreGoneAreNamed) {
  fs::remove(scratch_.file("program"));
  expect_input_error(replay(), scratch_.file("program"));
}

// --- The debugger ----------------------------------------------------------------------------------------------------

/// What a user types, in batch mode. The command reports the death of its child to a file in TMPDIR.
Finished debug(const Scratch& scratch, const std::string& trace, const std::string& breakpoint) {
  Words words = {"gdb", "-nx", "-batch"};
  for (const std::string& command :
       Words{"set breakpoint pending on", "set follow-fork-mode child", "handle SIGSEGV nostop noprint pass",
             "break " + breakpoint, "run", "info threads", "backtrace", "kill"})
    words.insert(words.end(), {"-ex", command});
  words.insert(words.end(), {"--args", norn_bin() + "/norn", "replay", trace, "--threads", "os"});
  return run(words, {{"DEBUGINFOD_URLS", ""}, {"TMPDIR", scratch.path()}});
}

TEST(Debugger, StopsWhereTheFailingThreadFails) {
  if (shell("command -v gdb").exit_code != 0) GTEST_SKIP() << "gdb is not installed";
  if (shell("gdb -nx -batch -ex run --args true").exit_code != 0) GTEST_SKIP() << "processes cannot be traced here";
  const Scratch scratch;
  const std::string trace = record(scratch, {"nested", "assertion", "main/1/1"});
  const Finished finished = debug(scratch, trace, "__assert_fail");
  // Real threads: the main one, main/1, main/1/1, and the one that drives them.
  std::size_t threads = 0;
  bool current = false;
  for (const std::string& line : lines(finished.output)) {
    threads += std::regex_search(line, std::regex("^[ *] +[0-9.]+ +Thread 0x"));
    current |= std::regex_search(line, std::regex("^\\* .*__assert_fail"));
  }
  EXPECT_GE(threads, 3U) << finished.output << finished.error;
  EXPECT_TRUE(current) << "the failing thread is not the one that is looked at:\n" << finished.output;
  // And its backtrace leads to the line.
  std::size_t number = 0;
  const auto source = lines(read_file(program("failures.cpp")));
  while (number < source.size() && !contains(source[number], "the line that the debugger has to find")) ++number;
  const std::regex frame("#[1-9] .*check_value.* at .*failures\\.cpp:" + std::to_string(number + 1) + "\n");
  EXPECT_TRUE(std::regex_search(finished.output, frame)) << finished.output;
}

TEST(Replay, OfARunThatShowedWhatMustBeVisible) {
  for (const char* const strategy : {"random", "pct", "exhaustive"}) {
    const Scratch scratch;
    const Finished checked = norn({"check", program("racing_failure.c"), "--strategy", strategy, "--plain", "visible",
                                   "--races", "ignore", "--trace-dir", scratch.path()});
    ASSERT_EQ(checked.exit_code, 1) << checked.output << checked.error;
    EXPECT_FALSE(contains(checked.output, "gave another result")) << checked.output;
    const Finished replayed = norn({"replay", scratch.file("racing_failure-1.trace")});
    EXPECT_EQ(replayed.exit_code, 1) << replayed.output << replayed.error;
    EXPECT_TRUE(contains(replayed.output, "shared > 2")) << replayed.output;
  }
}

}  // namespace
}  // namespace norn::test
