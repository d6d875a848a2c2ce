#include "cli/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.hpp"
#include "support/options_json.hpp"

namespace norn {
namespace {

/// In the child: becomes the program. Addresses are not randomised, so that they are the same when it is replayed,
/// and all symbols are bound at the start, so that binding them is not repeated in every run.
[[noreturn]] void become(const Program& program, const std::map<std::string, std::string>& environment, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  personality(ADDR_NO_RANDOMIZE);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  setenv("LD_BIND_NOW", "1", 1);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  close(nothing);
  std::vector<std::string> words{program.executable.string()};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  _exit(127);
}

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t part = send(descriptor, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (part <= 0) return;
    done += static_cast<std::size_t>(part);
  }
}

/// What the program's runtime says in the end; until then it may ask something. Each message is a line.
nlohmann::json listen(int descriptor, const Answer& answer) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t part = read(descriptor, buffer, sizeof buffer);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return nlohmann::json::parse(text, nullptr, false);
    text.append(buffer, static_cast<std::size_t>(part));
    // Only a question has an end before the connection has: whoever asks waits for the answer.
    if (text.back() != '\n') continue;
    nlohmann::json message = nlohmann::json::parse(text, nullptr, false);
    if (!message.is_object() || !message.contains("asks")) continue;
    write_all(descriptor, (answer ? answer(message) : nlohmann::json()).dump() + "\n");
    text.clear();
  }
}

/// While a program runs, Ctrl-C is for its runtime, which ends the exploration and reports what it has.
class IgnoreInterrupts {
 public:
  IgnoreInterrupts() : previous_(signal(SIGINT, SIG_IGN)) {}
  ~IgnoreInterrupts() { signal(SIGINT, previous_); }
  IgnoreInterrupts(const IgnoreInterrupts&) = delete;
  IgnoreInterrupts& operator=(const IgnoreInterrupts&) = delete;

 private:
  sighandler_t previous_;
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

pid_t start_uncontrolled(const Program& program, const std::map<std::string, std::string>& environment) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw InputError("cannot create a process: too many processes");
  if (child != 0) return child;
  signal(SIGINT, SIG_DFL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
  become(program, environment, parent);
}

nlohmann::json run_under_control(const Program& program, const Options& options, const Answer& answer) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    throw InputError("cannot create a socket pair: too many open files");
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  const IgnoreInterrupts guard;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw InputError("cannot create a process: too many processes");
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    // What it prints before its main begins must not be mistaken for the command's own output.
    if (!options.replays) dup2(STDERR_FILENO, STDOUT_FILENO);
    become(program, {{"NORN_SESSION", std::to_string(ends[1])}}, parent);
  }
  close(ends[1]);
  write_all(ends[0], nlohmann::json(options).dump() + "\n");
  nlohmann::json report = listen(ends[0], answer);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!report.is_discarded() && !report.contains("fatal") && report.value("protocol", 0) != protocol)
    throw InputError(fmt::format("{} was built with another version of Norn: build it again",
                                 program.executable.filename().string()));
  if (!report.is_discarded()) return report;
  return {{"fatal", fmt::format("the process of {} {} before it reported anything",
                                program.executable.filename().string(), how_it_ended(status))}};
}

}  // namespace norn
