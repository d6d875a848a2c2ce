#pragma once

// What the tests of the command share. They do not change the working directory, which is a part of the key under which
// norn check caches programs, so that every program of programs/ is compiled once for all tests.

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "norn_check.hpp"

namespace norn::test {

using Words = std::vector<std::string>;

/// norn WORDS...
Finished norn(Words words, const std::map<std::string, std::string>& environment = {});

/// sh -c COMMAND with norn, norn-c++ and norn-cc in its PATH.
Finished shell(const std::string& command, const std::map<std::string, std::string>& environment = {});

/// The path of a program of programs/.
std::string program(const std::string& name);

std::vector<std::string> lines(const std::string& text);
bool contains(const std::string& text, const std::string& part);

/// Exit code 2, nothing on standard output, and one line that begins with "norn: " on standard error.
void expect_input_error(const Finished& finished, const std::string& part = "");

/// A command in a process group of its own, as a shell would start it.
class Job {
 public:
  explicit Job(const Words& command);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Waits until a child of the command executes a program with this name; its process, or 0.
  [[nodiscard]] pid_t wait_for_child(const std::string& name) const;
  /// What Ctrl-C does: a signal to everybody in the group.
  void interrupt() const;
  /// A signal to the command alone.
  void terminate() const;
  /// The end of the command alone, without any warning.
  void kill_command() const;
  [[nodiscard]] bool has_ended() const;
  Finished wait();

 private:
  Scratch scratch_;
  pid_t process_;
};

}  // namespace norn::test
