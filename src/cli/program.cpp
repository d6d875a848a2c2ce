#include "cli/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "cli/interrupts.hpp"
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
  if (!program.preloaded.empty()) {
    const char* const others = getenv("LD_PRELOAD");
    setenv("LD_PRELOAD", (program.preloaded.string() + (others == nullptr ? "" : " " + std::string(others))).c_str(),
           1);
  }
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

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

/// By a signal that no mistake in a program raises.
bool was_killed(int status) {
  constexpr std::array from_outside = {SIGKILL, SIGTERM, SIGHUP, SIGINT, SIGXCPU};
  return WIFSIGNALED(status) &&
         std::find(from_outside.begin(), from_outside.end(), WTERMSIG(status)) != from_outside.end();
}

/// Heaps, stacks and what is known of memory have addresses of their own, of which hardly any are ever used.
void expect_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    throw InputError(
        "programs under control need more addresses than this shell allows, although little memory: lift its limit "
        "(ulimit -v unlimited)");
}

}  // namespace

pid_t start_uncontrolled(const Program& program, const std::map<std::string, std::string>& environment) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw InputError("cannot create a process: too many processes");
  if (child != 0) return child;
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
  become(program, environment, parent);
}

nlohmann::json run_under_control(const Program& program, Options options, const Conversation& conversation) {
  expect_addresses();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    throw InputError("cannot create a socket pair: too many open files");
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  const Interrupts interrupts;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw InputError("cannot create a process: too many processes");
  if (child == 0) {
    // What it prints before its main begins must not be mistaken for the command's own output.
    if (!options.replays) dup2(STDERR_FILENO, STDOUT_FILENO);
    become(program, {{"NORN_SESSION", std::to_string(ends[1])}}, parent);
  }
  close(ends[1]);
  options.resume = conversation.resume.size();
  tell(ends[0], nlohmann::json(options).dump() + "\n");
  tell(ends[0], conversation.resume);
  nlohmann::json report = converse(ends[0], child, conversation);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!report.is_discarded() && report.contains("refused")) throw InputError(report.at("refused").get<std::string>());
  if (!report.is_discarded() && !report.contains("fatal") && report.value("protocol", 0) != protocol)
    throw InputError(fmt::format("{} was built with another version of Norn: build it again",
                                 program.executable.filename().string()));
  if (!report.is_discarded()) return report;
  if (Interrupts::count() != 0) throw Interrupts::last();
  if (was_killed(status))
    throw Killed(fmt::format("the process of {} was killed by signal {} ({}){}, before it reported anything",
                             program.executable.filename().string(), WTERMSIG(status), strsignal(WTERMSIG(status)),
                             WTERMSIG(status) == SIGKILL ? ", perhaps because memory ran out" : ""));
  return {{"fatal", fmt::format("the process of {} {} before it reported anything",
                                program.executable.filename().string(), how_it_ended(status))}};
}

}  // namespace norn
