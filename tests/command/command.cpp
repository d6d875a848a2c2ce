#include "command.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace norn::test {

namespace fs = std::filesystem;

Finished norn(Words words, const std::map<std::string, std::string>& environment) {
  words.insert(words.begin(), norn_bin() + "/norn");
  return run(words, environment);
}

Finished shell(const std::string& command, const std::map<std::string, std::string>& environment) {
  std::map<std::string, std::string> all = environment;
  all["PATH"] = norn_bin() + ":" + getenv("PATH");
  return run({"sh", "-c", command}, all);
}

std::string program(const std::string& name) { return std::string(NORN_PROGRAMS "/") + name; }

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void expect_input_error(const Finished& finished, const std::string& part) {
  EXPECT_EQ(finished.exit_code, 2) << finished.error;
  EXPECT_EQ(finished.output, "");
  EXPECT_EQ(lines(finished.error).size(), 1U) << finished.error;
  EXPECT_TRUE(finished.error.starts_with("norn: ")) << finished.error;
  EXPECT_TRUE(finished.error.ends_with("\n")) << finished.error;
  EXPECT_LT(finished.error.size(), 300U) << "that is more than a sentence: " << finished.error;
  EXPECT_TRUE(contains(finished.error, part)) << finished.error;
}

Job::Job(const Words& command) : process_(fork()) {
  if (process_ != 0) return;
  setpgid(0, 0);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(open(scratch_.file("output").c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
  dup2(open(scratch_.file("error").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

Job::~Job() {
  if (process_ == 0) return;
  kill(-process_, SIGKILL);
  wait();
}

pid_t Job::wait_for_child(const std::string& name) const {
  using namespace std::chrono_literals;
  const std::string list = "/proc/" + std::to_string(process_) + "/task/" + std::to_string(process_) + "/children";
  for (int i = 0; i < 2000; ++i) {
    std::ifstream children(list);
    for (std::string child; children >> child;) {
      std::error_code error;
      if (fs::read_symlink("/proc/" + child + "/exe", error).filename() == name) return std::stoi(child);
    }
    std::this_thread::sleep_for(10ms);
  }
  return 0;
}

void Job::interrupt() const { kill(-process_, SIGINT); }

void Job::terminate() const { kill(process_, SIGTERM); }

void Job::kill_command() const { kill(process_, SIGKILL); }

bool Job::has_ended() const {
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid != 0;
}

Finished Job::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = 0;
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read_file(scratch_.file("output")),
          read_file(scratch_.file("error"))};
}

}  // namespace norn::test
