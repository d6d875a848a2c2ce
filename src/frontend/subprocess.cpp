#include "frontend/subprocess.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "frontend/temporary_directory.hpp"
#include "support/error.hpp"

namespace norn::toolchain {

namespace fs = std::filesystem;

namespace {

volatile std::sig_atomic_t was_interrupted = 0;

void on_interrupt(int) { was_interrupted = 1; }

// Lets an interrupt from the terminal end the compiler only, so that temporary files are still removed.
class IgnoreInterrupts {
 public:
  IgnoreInterrupts() : interrupt_(std::signal(SIGINT, on_interrupt)), quit_(std::signal(SIGQUIT, SIG_IGN)) {
    was_interrupted = 0;
    if (interrupt_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
  }
  ~IgnoreInterrupts() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }
  IgnoreInterrupts(const IgnoreInterrupts&) = delete;
  IgnoreInterrupts& operator=(const IgnoreInterrupts&) = delete;

  // What the child does instead: as the parent did before.
  sigset_t defaults() const {
    sigset_t set;
    sigemptyset(&set);
    if (interrupt_ == SIG_DFL) sigaddset(&set, SIGINT);
    if (quit_ == SIG_DFL) sigaddset(&set, SIGQUIT);
    return set;
  }

 private:
  sighandler_t interrupt_, quit_;
};

pid_t spawn(const Words& command, int output, const sigset_t& default_signals) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigdefault(&attributes, &default_signals);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return child;
  throw InputError(
      fmt::format("cannot run the compiler {}: {} (NORN_COMPILER chooses another)", command[0], std::strerror(error)));
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  // Some compilers end as if the source were wrong, and others may just have been done.
  if (was_interrupted != 0) return interrupted;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The kernel limits the length of a command line. Compilers read the rest from a file, quoted with backslashes.
constexpr std::size_t command_line_limit = 100'000;

Words shortened(const Words& command, const fs::path& directory) {
  const fs::path file = directory / "arguments";
  std::ofstream stream(file);
  for (auto word = command.begin() + 1; word != command.end(); ++word) {
    for (const char c : *word) {
      if (std::strchr(" \t\n\v\f\r\\'\"", c)) stream << '\\';
      stream << c;
    }
    stream << (word->empty() ? "''\n" : "\n");
  }
  return {command[0], "@" + file.string()};
}

}  // namespace

int run(const Words& command, const Sink& sink) {
  std::size_t length = 0;
  for (const std::string& word : command) length += word.size() + 1;
  if (length > command_line_limit) {
    const TemporaryDirectory directory(temporary_place());
    return run(shortened(command, directory.path()), sink);
  }
  const IgnoreInterrupts ignoring;
  if (!sink) return wait_for(spawn(command, -1, ignoring.defaults()));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = spawn(command, ends[1], ignoring.defaults());
  close(ends[1]);
  std::array<char, 1 << 16> buffer;
  for (ssize_t count; (count = read(ends[0], buffer.data(), buffer.size())) != 0;) {
    if (count > 0)
      sink({buffer.data(), static_cast<std::size_t>(count)});
    else if (errno != EINTR)
      break;
  }
  close(ends[0]);
  return wait_for(child);
}

}  // namespace norn::toolchain
