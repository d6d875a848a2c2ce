// An exploration that is killed goes on from its last checkpoint and comes to the same.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "command.hpp"
#include "support/random.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using nlohmann::json;

struct Subject {
  std::string source;
  Words options;
  Words arguments;
};

Words command_of(const Subject& subject, const Words& more) {
  Words command = {norn_bin() + "/norn", "check", program(subject.source), "--quiet", "--minimise", "0"};
  command.insert(command.end(), subject.options.begin(), subject.options.end());
  command.insert(command.end(), more.begin(), more.end());
  command.emplace_back("--");
  command.insert(command.end(), subject.arguments.begin(), subject.arguments.end());
  return command;
}

/// Which version of a file is there.
std::uint64_t version_of(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 ? status.st_ino + static_cast<std::uint64_t>(status.st_mtim.tv_nsec) : 0;
}

json in_one_go(const Subject& subject) {
  const Scratch scratch;
  const Finished finished = run(command_of(subject, {"--json", scratch.file("summary")}));
  EXPECT_EQ(finished.error, "");
  return json::parse(read_file(scratch.file("summary")), nullptr, false);
}

struct Interrupted {
  json summary;
  unsigned kills = 0;
};

/// Kills the exploration a random moment after each new checkpoint, and goes on from there; after a few times it may
/// end.
Interrupted in_many(const Subject& subject, std::uint64_t seed, const Words& usual = {}, const Words& last = {}) {
  constexpr unsigned most_kills = 6;
  const Scratch scratch;
  const std::string checkpoint = scratch.file("checkpoint");
  SplitMix64 chance(seed);
  Interrupted result;
  for (;;) {
    const std::uint64_t before = version_of(checkpoint);
    Words more = {
        "--json",   scratch.file("summary"), "--checkpoint-seconds", "0", before == 0 ? "--checkpoint" : "--resume",
        checkpoint, "--trace-dir",           scratch.file("traces")};
    const bool is_last = result.kills == most_kills;
    const Words& others = is_last ? last : usual;
    more.insert(more.end(), others.begin(), others.end());
    Job job(command_of(subject, more));
    while (!is_last && version_of(checkpoint) == before && !job.has_ended()) std::this_thread::sleep_for(1ms);
    if (!is_last) {
      std::this_thread::sleep_for(std::chrono::milliseconds(chance.below(30)));
      job.kill_command();
    }
    const Finished finished = job.wait();
    EXPECT_EQ(finished.error, "");
    if (finished.exit_code != 128 + SIGKILL) break;
    ++result.kills;
  }
  EXPECT_FALSE(fs::exists(checkpoint + ".new"));
  result.summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
  return result;
}

/// How often threads go round in vain in loops, which are events too, depends on what is explored first.
void expect_same(const json& one, const json& other, bool has_loops) {
  for (const char* const key : {"verdict", "complete", "executions", "distinct", "deadlocks", "threads_max"})
    EXPECT_EQ(one[key], other[key]) << key << "\n" << other;
  if (!has_loops) {
    EXPECT_EQ(one["events"], other["events"]) << other;
  }
  ASSERT_EQ(one["bugs"].size(), other["bugs"].size()) << other;
  for (std::size_t i = 0; i < one["bugs"].size(); ++i)
    for (const char* const key : {"kind", "message", "location", "count"})
      EXPECT_EQ(one["bugs"][i][key], other["bugs"][i][key]) << key;
}

void expect_same_in_many(const Subject& subject, std::uint64_t seed, bool has_loops = false) {
  const json whole = in_one_go(subject);
  const Interrupted parts = in_many(subject, seed);
  EXPECT_GE(parts.kills, 1U) << "it was over too soon";
  expect_same(whole, parts.summary, has_loops);
}

class Killed : public testing::TestWithParam<const char*> {};

/// 12! / (4!)^3 behaviours.
TEST_P(Killed, GoesOnAndComesToTheSame) {
  const Subject subject{"locks.c", {"--strategy", GetParam()}, {"3", "4"}};
  const Interrupted parts = in_many(subject, 1);
  EXPECT_EQ(parts.summary["executions"], 34650) << parts.summary;
  EXPECT_EQ(parts.summary["distinct"], 34650) << parts.summary;
  EXPECT_TRUE(parts.summary["complete"]) << parts.summary;
  EXPECT_GE(parts.kills, 1U);
}

TEST_P(Killed, GoesOnWithSeveralProcesses) {
  const Subject subject{"locks.c", {"--strategy", GetParam()}, {"3", "4"}};
  const Interrupted parts = in_many(subject, 2, {"--jobs", "2"}, {"--jobs", "1"});
  EXPECT_EQ(parts.summary["executions"], 34650) << parts.summary;
  EXPECT_EQ(parts.summary["distinct"], 34650) << parts.summary;
  EXPECT_TRUE(parts.summary["complete"]) << parts.summary;
}

INSTANTIATE_TEST_SUITE_P(Strategies, Killed, testing::Values("exhaustive", "dpor", "reachability"));

/// What was found out about the program before, and where its objects are, is the same in the processes that go on.
TEST(Stopped, GoesOnWithWhatWasLearned) {
  for (const char* const strategy : {"dpor", "reachability"})
    for (const char* const first : {"1", "9", "14", "20"}) {
      const Scratch scratch;
      const Subject subject{"shared_tries.cpp", {"--strategy", strategy}, {}};
      run(command_of(subject, {"--max-executions", first, "--checkpoint", scratch.file("checkpoint")}));
      run(command_of(subject,
                     {"--resume", scratch.file("checkpoint"), "--jobs", "2", "--json", scratch.file("summary")}));
      const json summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
      EXPECT_EQ(summary["verdict"], "pass") << strategy << " " << first;
      EXPECT_EQ(summary["executions"], 30) << strategy << " " << first;
      EXPECT_EQ(summary["distinct"], 30) << strategy << " " << first;
    }
}

TEST(KilledWithBugs, FindsTheSame) {
  expect_same_in_many({"lost_updates.cpp", {"--strategy", "exhaustive", "--keep-going"}, {"2"}}, 3);
}

TEST(KilledWithLoops, ComesToTheSame) { expect_same_in_many({"spinners.cpp", {"--strategy", "dpor"}, {"4"}}, 4, true); }

TEST(KilledWithLoops, GoesOnWithTheStrategyThatTookOver) { expect_same_in_many({"spinners.cpp", {}, {"4"}}, 5, true); }

// --- What cannot be resumed ------------------------------------------------------------------------------------------

class Checkpoints : public testing::Test {
 protected:
  /// Of an exploration that was stopped by a limit.
  std::string make() {
    const Finished finished = explore({"--checkpoint", file_, "--max-executions", "100"});
    EXPECT_EQ(finished.exit_code, 3) << finished.error;
    return file_;
  }
  Finished explore(const Words& more, const Words& arguments = {"3", "3"}) {
    return run(command_of({"locks.c", {"--strategy", "dpor"}, arguments}, more));
  }

  Scratch scratch_;
  std::string file_ = scratch_.file("checkpoint");
};

TEST_F(Checkpoints, GoOnAfterALimit) {
  make();
  const Finished finished = explore({"--resume", file_, "--json", scratch_.file("summary")});
  EXPECT_EQ(finished.exit_code, 0) << finished.error;
  EXPECT_EQ(json::parse(read_file(scratch_.file("summary")))["executions"], 1680);
  // And once more, although nothing is left.
  EXPECT_EQ(explore({"--resume", file_, "--json", scratch_.file("summary")}).exit_code, 0);
  EXPECT_EQ(json::parse(read_file(scratch_.file("summary")))["executions"], 1680);
}

TEST_F(Checkpoints, AreOfOneExplorationOnly) {
  make();
  expect_input_error(explore({"--resume", file_}, {"3", "4"}), "other arguments");
  expect_input_error(explore({"--resume", file_, "--spurious", "1"}), "--spurious 0, not --spurious 1");
  expect_input_error(run(command_of({"locks.c", {"--strategy", "exhaustive"}, {"3", "3"}}, {"--resume", file_})),
                     "--strategy dpor, not --strategy exhaustive");
  expect_input_error(run(command_of({"several_bugs.c", {"--strategy", "dpor"}, {"3", "3"}}, {"--resume", file_})),
                     "the program has changed");
}

// What a program is given need not be text; the command that is offered works all the same.
TEST_F(Checkpoints, KnowArgumentsThatAreNoText) {
  const Words arguments = {"3", "3", "\xff\xfe"};
  ASSERT_EQ(explore({"--checkpoint", file_, "--max-executions", "100"}, arguments).exit_code, 3);
  EXPECT_EQ(explore({"--resume", file_}, arguments).exit_code, 0);
  expect_input_error(explore({"--resume", file_}, {"3", "3", "\xff\xff"}), "other arguments");
}

TEST_F(Checkpoints, AreBroken) {
  const std::string whole = read_file(make());
  expect_input_error(explore({"--resume", scratch_.file("nothing")}), "there is no checkpoint");
  expect_input_error(explore({"--resume", scratch_.write("empty", "")}), "is not a checkpoint");
  expect_input_error(explore({"--resume", scratch_.write("other", "something else")}), "is not a checkpoint");
  expect_input_error(explore({"--resume", scratch_.path()}), "is not a checkpoint");
  for (const std::size_t size : {std::size_t{18}, std::size_t{30}, whole.size() / 2, whole.size() - 1})
    expect_input_error(explore({"--resume", scratch_.write("short", whole.substr(0, size))}), "is broken");
  std::string changed = whole;
  changed[changed.size() - 40] = static_cast<char>(changed[changed.size() - 40] + 1);
  expect_input_error(explore({"--resume", scratch_.write("changed", changed)}),
                     "is broken: it is not what was written");
}

TEST_F(Checkpoints, CannotBeWritten) {
  expect_input_error(explore({"--checkpoint", "/dev/full"}), "/dev/full");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  expect_input_error(explore({"--checkpoint", "/nowhere/file"}), "/nowhere/file");
  expect_input_error(explore({"--checkpoint", scratch_.path()}), "not a regular file");
}

/// A limit on the size of files is a disk that is full.
TEST_F(Checkpoints, ThatDoNotFitOnTheDiskDoNotEndTheExploration) {
  const Finished finished =
      shell("ulimit -f 1; norn check " + program("locks.c") + " --strategy dpor --checkpoint " + file_ + " -- 3 3",
            {{"COLUMNS", "200"}});
  EXPECT_EQ(finished.exit_code, 0) << finished.error;
  EXPECT_TRUE(contains(finished.output, "every one of 1680 executions is correct")) << finished.output;
  EXPECT_TRUE(contains(finished.output, "could not be written: File too large")) << finished.output;
  EXPECT_FALSE(fs::exists(file_ + ".new"));
}

TEST_F(Checkpoints, AreNotForSampling) {
  for (const char* const strategy : {"random", "pct", "pos", "coverage", "noise"})
    for (const char* const option : {"--checkpoint", "--resume"})
      expect_input_error(run(command_of({"locks.c", {"--strategy", strategy}, {}}, {option, file_})),
                         "has no checkpoints");
  EXPECT_FALSE(fs::exists(file_));
}

}  // namespace
}  // namespace norn::test
