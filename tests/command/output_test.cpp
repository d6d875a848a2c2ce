// What goes to which stream and file, how it looks there, and what happens if it cannot be written.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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
  const std::map<std::string, std::string> usual = {{"TERM", "xterm"}};
  EXPECT_TRUE(contains(on_terminal("", usual), "\x1b[1;31m"));
  EXPECT_FALSE(contains(on_terminal(" --no-color", usual), "\x1b"));
  EXPECT_FALSE(contains(on_terminal("", {{"NO_COLOR", "1"}, {"TERM", "xterm"}}), "\x1b"));
  EXPECT_FALSE(contains(on_terminal("", {{"TERM", "dumb"}}), "\x1b"));
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

TEST(Width, OfHelpIsThatOfTheTerminal) {
  const auto widest = [](const std::string& output) {
    std::size_t width = 0;
    for (const std::string& line : lines(output)) width = std::max(width, line.size());
    return width;
  };
  for (const Words& question : {Words{"--help"}, Words{"check", "--help"}, Words{"accept", "--help"}}) {
    EXPECT_LE(widest(norn(question).output), 80U) << question[0];
    EXPECT_LE(widest(norn(question, {{"COLUMNS", "60"}}).output), 60U) << question[0];
  }
  if (shell("command -v script").exit_code != 0) GTEST_SKIP() << "script is not installed";
  EXPECT_LE(widest(shell("script -qec 'stty cols 50; norn strategies' /dev/null").output), 51U) << "with \\r";
}

/// A limit on the size of files is a disk that is full.
TEST(FullDisk, LeavesTheOldReport) {
  const Scratch scratch;
  const std::string command =
      "norn check " + program("several_bugs.c") + " --quiet --trace-dir " + scratch.file("traces");
  ASSERT_EQ(shell(command).exit_code, 1) << "compiled once";
  for (const std::string option : {"--json", "--html"}) {
    const std::string file = scratch.write("report", "what was there before");
    const Finished finished = shell("ulimit -f 1; " + command + " " + option + " " + file);
    EXPECT_EQ(finished.exit_code, 1) << option << finished.error;
    EXPECT_TRUE(contains(finished.error, "cannot write " + file)) << finished.error;
    EXPECT_EQ(read_file(file), "what was there before") << option;
    EXPECT_FALSE(fs::exists(file + ".new")) << option;
  }
}

TEST(Reports, ArePipedToWhoeverReadsThem) {
  const Scratch scratch;
  const std::string pipe = scratch.file("pipe");
  const Finished finished =
      shell("mkfifo " + pipe + "; norn check " + program("locks.c") + " --quiet --json " + pipe + " & cat " + pipe);
  EXPECT_EQ(json::parse(finished.output, nullptr, false).value("verdict", ""), "pass") << finished.output;
  EXPECT_TRUE(fs::is_fifo(pipe));
  const Finished redirected =
      shell("norn check " + program("locks.c") + " --quiet --json /dev/stdout > " + scratch.file("out"));
  EXPECT_EQ(json::parse(read_file(scratch.file("out")), nullptr, false).value("verdict", ""), "pass")
      << redirected.error;
}

TEST(Reports, ReplaceWhatALinkLeadsTo) {
  const Scratch scratch;
  const std::string file = scratch.write("file", "old");
  fs::create_symlink(file, scratch.file("link"));
  ASSERT_EQ(norn({"check", program("locks.c"), "--json", scratch.file("link")}).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(scratch.file("link")));
  EXPECT_EQ(json::parse(read_file(file), nullptr, false).value("verdict", ""), "pass");
}

TEST(Reports, AreNotLeftEmpty) {
  const Scratch scratch;
  const std::string source = scratch.write("wrong.c", "this is no C\n");
  EXPECT_EQ(norn({"check", source, "--json", scratch.file("summary")}).exit_code, 2);
  EXPECT_FALSE(fs::exists(scratch.file("summary")));
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

// Nobody shall take it for done that nobody could read.
TEST(FullDisk, IsNoticedByAllWhoPrint) {
  const Scratch scratch;
  const std::string traces = scratch.file("traces");
  ASSERT_EQ(norn({"check", program("several_bugs.c"), "--quiet", "--trace-dir", traces}).exit_code, 1);
  for (const std::string& arguments :
       {std::string("--help"), std::string("--version"), std::string("strategies"), std::string("check --help"),
        "show " + traces + "/several_bugs-1.trace", "check " + program("locks.c") + " --self-check"}) {
    const Finished finished = run({"sh", "-c", norn_bin() + "/norn " + arguments + " >/dev/full"});
    EXPECT_EQ(finished.exit_code, 2) << arguments;
    EXPECT_EQ(finished.error, "norn: cannot write to standard output\n") << arguments;
  }
}

// Whoever asks for two reports gets two, and still has the program.
TEST(Reports, HaveFilesOfTheirOwn) {
  const Scratch scratch;
  const std::string source = scratch.write("p.c", read_file(program("locks.c")));
  const std::string file = scratch.file("report");
  for (const Words& options :
       {Words{"--json", file, "--html", file}, Words{"--json", file, "--graph", scratch.path() + "/./report"},
        Words{"--outcomes", file, "--checkpoint", file}})
    expect_input_error(norn({"check", source, options[0], options[1], options[2], options[3]}), "only one report");
  expect_input_error(norn({"check", source, "--json", scratch.path() + "/./p.c"}), "is the program");
  EXPECT_EQ(read_file(source), read_file(program("locks.c")));
  EXPECT_EQ(norn({"check", source, "--json", "/dev/null", "--html", "/dev/null"}).exit_code, 0);
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
