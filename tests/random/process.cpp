#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

extern char** environ;

namespace random_programs {
namespace {

using Clock = std::chrono::steady_clock;

/// Starts the command in a process group of its own, so that it can be killed together with its children.
bool start(const std::vector<std::string>& command, int output, const std::string& error_file, pid_t& process) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawn(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error == 0;
}

/// Reads until everybody has closed the other end; false if that takes too long.
bool read_all(int input, Clock::time_point deadline, std::string& text) {
  char buffer[4096];
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready{input, POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) == 0) return false;
    const ssize_t length = read(input, buffer, sizeof buffer);
    if (length <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(length));
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::chrono::milliseconds time_limit,
                          const std::string& error_file) {
  ProcessResult result;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return result;
  pid_t process = 0;
  result.started = start(command, pipe_ends[1], error_file, process);
  close(pipe_ends[1]);
  if (result.started) {
    result.timed_out = !read_all(pipe_ends[0], Clock::now() + time_limit, result.output);
    if (result.timed_out) kill(-process, SIGKILL);
    int status = 0;
    waitpid(process, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  close(pipe_ends[0]);
  return result;
}

}  // namespace random_programs
