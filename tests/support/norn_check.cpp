#include "norn_check.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "totals.hpp"

namespace norn::test {
namespace {

/// In the child.
[[noreturn]] void become(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
                         const std::string& output, const std::string& error) {
  // What a CI system says to the tests is not for the commands that they test.
  for (const char* const name : {"GITHUB_ACTIONS", "GITHUB_WORKSPACE"}) unsetenv(name);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  const auto redirect = [](const std::string& file, int flags, int descriptor) {
    const int opened = open(file.c_str(), flags, 0600);
    dup2(opened, descriptor);
    close(opened);
  };
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect(error, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

}  // namespace

Finished run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment) {
  const Scratch scratch;
  const std::string output = scratch.file("output");
  const std::string error = scratch.file("error");
  const pid_t child = fork();
  if (child == 0) become(command, environment, output, error);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read_file(output), read_file(error)};
}

std::string norn_bin() {
  const char* directory = getenv("NORN_BIN");
  if (directory == nullptr) throw std::runtime_error("the tests need NORN_BIN: the directory of the norn command");
  return directory;
}

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "norn-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create a temporary directory");
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  std::ofstream(file(name)) << text;
  return file(name);
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

namespace {

Checked collect(const Scratch& scratch, const std::string& program, const std::vector<std::string>& options,
                const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment) {
  std::vector<std::string> command{norn_bin() + "/norn",
                                   "check",
                                   program,
                                   "--json",
                                   scratch.file("summary"),
                                   "--outcomes",
                                   scratch.file("outcomes"),
                                   "--trace-dir",
                                   scratch.file("traces")};
  command.insert(command.end(), options.begin(), options.end());
  command.emplace_back("--");
  command.insert(command.end(), arguments.begin(), arguments.end());
  Checked checked;
  checked.finished = run(command, environment);
  checked.summary = nlohmann::json::parse(read_file(scratch.file("summary")), nullptr, false);
  if (checked.summary.is_discarded()) checked.summary = nlohmann::json::object();
  const auto outcomes = nlohmann::json::parse(read_file(scratch.file("outcomes")), nullptr, false);
  if (outcomes.is_array())
    for (const auto& outcome : outcomes) checked.outcomes[{outcome["status"], outcome["output"]}] = outcome["count"];
  return checked;
}

}  // namespace

Checked check(const std::string& program, std::vector<std::string> options, const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment) {
  const Scratch scratch;
  options.insert(options.begin(), {"--list-runs", scratch.file("runs")});
  Checked checked = collect(scratch, program, options, arguments, environment);
  std::istringstream lines(read_file(scratch.file("runs")));
  for (std::string line; std::getline(lines, line);) checked.runs.push_back(line);
  return checked;
}

Checked check_totals(const std::string& program, const std::vector<std::string>& options,
                     const std::vector<std::string>& arguments) {
  return collect(Scratch(), program, options, arguments, {});
}

}  // namespace norn::test
