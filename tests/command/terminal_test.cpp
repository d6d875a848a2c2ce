// What a user at a terminal sees, and what Ctrl-C does.

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using nlohmann::json;

/// A command at a terminal of its own.
class Terminal {
 public:
  Terminal(Words command, unsigned short columns) {
    const winsize size{25, columns, 0, 0};
    process_ = forkpty(&screen_, nullptr, nullptr, &size);
    if (process_ != 0) return;
    setenv("TERM", "xterm", 1);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  ~Terminal() {
    if (process_ != 0) kill(process_, SIGKILL);
    close(screen_);
    if (process_ != 0) waitpid(process_, nullptr, 0);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const std::string& text) const {
    ASSERT_EQ(write(screen_, text.data(), text.size()), ssize_t(text.size()));
  }

  /// Reads until the text has come, or the command has ended; false if it has not come.
  bool wait_for(const std::string& text) {
    while (seen_.find(text) == std::string::npos)
      if (!read_more()) return false;
    return true;
  }
  int wait() {
    while (read_more()) {
    }
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  bool read_more() {
    pollfd screen{screen_, POLLIN, 0};
    char buffer[4096];
    if (poll(&screen, 1, 60'000) <= 0) return false;
    const ssize_t size = read(screen_, buffer, sizeof buffer);
    if (size > 0) seen_.append(buffer, static_cast<std::size_t>(size));
    return size > 0;
  }

  int screen_ = -1;
  pid_t process_ = 0;
  std::string seen_;
};

Words exploration(const Scratch& scratch, const Words& more = {}) {
  // Four threads that lock six times each: nobody waits for the end of that.
  Words command = {norn_bin() + "/norn",   "check",     program("locks.c"), "--strategy", "dpor", "--trace-dir",
                   scratch.file("traces"), "--no-color"};
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"--", "4", "6"});
  return command;
}

void compile_beforehand() { ASSERT_EQ(norn({"check", program("locks.c"), "--quiet"}).exit_code, 0); }

TEST(Progress, IsALineThatIsWrittenAgainAndGoneInTheEnd) {
  compile_beforehand();
  const Scratch scratch;
  for (const unsigned short columns : {40, 132}) {
    Terminal terminal(exploration(scratch), columns);
    ASSERT_TRUE(terminal.wait_for("no bug\x1b[K\r")) << terminal.seen();
    terminal.type("\x03");
    EXPECT_EQ(terminal.wait(), 3);
    std::smatch found;
    const std::regex line("\r([^\r\n\x1b]* runs[^\r\n\x1b]*)\x1b\\[K");
    ASSERT_TRUE(std::regex_search(terminal.seen(), found, line)) << terminal.seen();
    EXPECT_LT(found[1].length(), columns) << found[1];
    EXPECT_EQ(contains(found[1], "behaviours"), columns > 40) << found[1];
    // Nothing of it is left before the summary.
    const std::string seen = terminal.seen();
    const std::size_t summary = seen.find(program("locks.c") + ":");
    ASSERT_NE(summary, std::string::npos) << seen;
    EXPECT_TRUE(seen.substr(0, summary).ends_with("\r\x1b[K")) << seen;
  }
}

TEST(Progress, IsNotShownToAnybodyElse) {
  compile_beforehand();
  const Scratch scratch;
  Terminal quiet(exploration(scratch, {"--quiet", "--max-seconds", "1.6"}), 80);
  EXPECT_EQ(quiet.wait(), 3);
  EXPECT_EQ(quiet.seen(), "");
  EXPECT_EQ(run(exploration(scratch, {"--max-seconds", "1.6"})).error, "");
}

TEST(Progress, IsShownWhileABugIsMinimised) {
  const Scratch scratch;
  const Words command = {
      norn_bin() + "/norn", "check",       program("preempted.cpp"), "--strategy", "random",    "--minimise",
      "1000000000",         "--trace-dir", scratch.file("traces"),   "--",         "alternate", "40"};
  Terminal terminal(command, 80);
  EXPECT_TRUE(terminal.wait_for("minimising the bug")) << terminal.seen();
}

TEST(Progress, IsShownForNoise) {
  compile_beforehand();
  // So long that nobody waits for its end, which could come before the line.
  Terminal terminal({norn_bin() + "/norn", "check", program("locks.c"), "--strategy", "noise", "--max-seconds", "600"},
                    80);
  EXPECT_TRUE(terminal.wait_for(" runs, ")) << terminal.seen();
}

/// Explores locks.c for a while.
Finished interrupted(const Words& command) {
  Job job(command);
  EXPECT_NE(job.wait_for_child("locks"), 0);
  std::this_thread::sleep_for(300ms);
  job.interrupt();
  Finished finished = job.wait();
  EXPECT_EQ(finished.exit_code, 3) << finished.error;
  EXPECT_EQ(finished.error, "");
  EXPECT_TRUE(contains(finished.output, "interrupted")) << finished.output;
  return finished;
}

TEST(Interrupt, LeavesACheckpointAndSaysHowToGoOn) {
  compile_beforehand();
  const Scratch scratch;
  for (const char* const jobs : {"1", "2"}) {
    const Words three_locks = {norn_bin() + "/norn",
                               "check",
                               program("locks.c"),
                               "--strategy",
                               "dpor",
                               "--trace-dir",
                               scratch.file("traces"),
                               "--json",
                               scratch.file("summary"),
                               "--jobs",
                               jobs,
                               "--",
                               "4",
                               "3"};
    const Finished finished = interrupted(three_locks);
    const json summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
    EXPECT_EQ(summary["reasons"][0], "interrupted") << summary;
    EXPECT_EQ(summary["checkpoint"], scratch.file("traces/locks.checkpoint"));
    const std::string command = lines(finished.output).back();
    EXPECT_EQ(summary["resume"], command);
    ASSERT_TRUE(command.starts_with("norn check ")) << command;
    if (jobs != std::string("1")) continue;
    const Finished resumed = shell(command, {{"COLUMNS", "200"}});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
    EXPECT_TRUE(contains(resumed.output, "every one of 369600 executions is correct")) << resumed.output;
  }
}

TEST(Interrupt, OfTheCommandAloneIsTheSame) {
  compile_beforehand();
  const Scratch scratch;
  Job job(exploration(scratch));
  ASSERT_NE(job.wait_for_child("locks"), 0);
  std::this_thread::sleep_for(300ms);
  job.terminate();
  const Finished finished = job.wait();
  EXPECT_EQ(finished.exit_code, 3) << finished.error;
  EXPECT_TRUE(contains(lines(finished.output).back(), "--resume")) << finished.output;
}

/// A compiler that takes its time, and ends as GCC does: as if something were wrong with the source.
std::string slow_compiler(const Scratch& scratch) {
  std::string file = scratch.write("slow", "#!/bin/sh\ncase $* in *version*) exit 0;; esac\nsleep 60\nexit 1\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

TEST(Interrupt, OfTheCompilerIsNoMistakeInTheSource) {
  const Scratch scratch;
  Job job({"env", "NORN_COMPILER=" + slow_compiler(scratch), norn_bin() + "/norn", "check", program("locks.c"),
           "--json", scratch.file("summary")});
  std::this_thread::sleep_for(1500ms);
  job.interrupt();
  const Finished finished = job.wait();
  EXPECT_EQ(finished.exit_code, 128 + SIGINT);
  EXPECT_EQ(finished.error, "norn: interrupted while locks.c was compiled\n");
  EXPECT_FALSE(fs::exists(scratch.file("summary")));
}

/// As the kernel does it when memory runs out.
TEST(Killed, IsNoMistakeOfNorn) {
  compile_beforehand();
  const Scratch scratch;
  for (const bool is_resumable : {false, true}) {
    Words options = {"--json", scratch.file("summary")};
    if (is_resumable) options.insert(options.end(), {"--checkpoint", scratch.file("state")});
    Job job(exploration(scratch, options));
    const pid_t process = job.wait_for_child("locks");
    ASSERT_NE(process, 0);
    std::this_thread::sleep_for(2500ms);
    kill(process, SIGKILL);
    const Finished finished = job.wait();
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_TRUE(contains(finished.error, "was killed by signal 9 (Killed), perhaps because memory ran out"))
        << finished.error;
    EXPECT_FALSE(contains(finished.error, "please report")) << finished.error;
    EXPECT_EQ(contains(finished.error, "--resume " + scratch.file("state")), is_resumable) << finished.error;
    const auto summary = nlohmann::json::parse(read_file(scratch.file("summary")), nullptr, false);
    ASSERT_TRUE(summary.is_object());
    EXPECT_EQ(summary["verdict"], "incomplete");
    EXPECT_TRUE(contains(summary["reasons"].dump(), "was killed")) << summary["reasons"];
  }
}

bool is_gone(pid_t process) {
  for (int i = 0; i < 500; ++i) {
    std::error_code gone;
    if (fs::read_symlink("/proc/" + std::to_string(process) + "/exe", gone).empty()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

/// The run that computes for ever is given up, and is left to do.
TEST(Interrupt, NeedNotWaitForARunThatHangs) {
  ASSERT_EQ(norn({"check", program("stuck.c"), "--quiet", "--max-executions", "1"}).exit_code, 3) << "compiled once";
  for (const Words& how : {Words{"--jobs", "1"}, Words{"--jobs", "2"}, Words{"--isolation", "fork"}}) {
    const Scratch scratch;
    Words command = {norn_bin() + "/norn",
                     "check",
                     program("stuck.c"),
                     "--strategy",
                     "exhaustive",
                     "--max-run-seconds",
                     "0",
                     "--json",
                     scratch.file("summary"),
                     "--trace-dir",
                     scratch.file("traces")};
    command.insert(command.end(), how.begin(), how.end());
    Job job(command);
    const pid_t process = job.wait_for_child("stuck");
    ASSERT_NE(process, 0);
    std::this_thread::sleep_for(1500ms);
    job.interrupt();
    const Finished finished = job.wait();
    EXPECT_EQ(finished.exit_code, 3) << finished.error;
    const json summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
    ASSERT_TRUE(summary.is_object());
    EXPECT_EQ(summary["reasons"], json::array({"interrupted"})) << summary;
    EXPECT_TRUE(fs::exists(scratch.file("traces/stuck.checkpoint")));
    EXPECT_TRUE(is_gone(process));
  }
}

/// A run that goes on and on ends only when it has come to --max-steps.
TEST(Interrupt, TwiceEndsAtOnce) {
  ASSERT_EQ(norn({"check", program("endless.c"), "--quiet", "--max-steps", "10"}).exit_code, 3);
  Job job({norn_bin() + "/norn", "check", program("endless.c"), "--max-steps", "100000000"});
  const pid_t process = job.wait_for_child("endless");
  ASSERT_NE(process, 0);
  std::this_thread::sleep_for(300ms);
  job.interrupt();
  std::this_thread::sleep_for(300ms);
  EXPECT_FALSE(job.has_ended());
  job.interrupt();
  const Finished finished = job.wait();
  EXPECT_EQ(finished.exit_code, 128 + SIGINT);
  EXPECT_EQ(finished.output + finished.error, "");
  EXPECT_TRUE(is_gone(process));
}

TEST(Interrupt, EndsWithASummary) {
  compile_beforehand();
  for (const char* const isolation : {"snapshot", "fork"}) {
    const Scratch scratch;
    interrupted({norn_bin() + "/norn", "check", program("locks.c"), "--isolation", isolation, "--json",
                 scratch.file("summary"), "--trace-dir", scratch.file("traces"), "--", "4", "8"});
    const json summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
    ASSERT_TRUE(summary.is_object());
    EXPECT_EQ(summary["verdict"], "incomplete");
    EXPECT_GT(summary["executions"].get<int>(), 0);
  }
}

// A script that gives up on norn must not leave a process behind that explores on for hours.
TEST(Terminate, LeavesNobodyBehind) {
  compile_beforehand();
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

}  // namespace
}  // namespace norn::test
