// norn_explore: the engine for one function inside a test program.

#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include <dlfcn.h>
#include <fmt/format.h>

#include "exec/process_heap.hpp"
#include "exec/session.hpp"
#include "frontend/interpose/interpose.hpp"
#include "norn/runtime_abi.h"
#include "support/options_json.hpp"

namespace norn::frontend {
namespace {

using nlohmann::json;

struct ExploredCall {
  void (*body)(void*);
  void* argument;
};

void* call_body(void* argument) {
  const ExploredCall call = *static_cast<ExploredCall*>(argument);
  call.body(call.argument);
  finish_thread_locals();
  run().end_run(End::finished, nullptr, {});
}

/// From `frame` to the end of the calling thread's stack: the locals of whoever called, which the body may use.
std::span<std::byte> stack_above(void* frame) {
  pthread_attr_t attributes;
  void* begin = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  return {static_cast<std::byte*>(frame), static_cast<std::byte*>(begin) + size};
}

std::string read_whole(int file) {
  std::string text(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

/// The norn command beside this library names the addresses; it knows how to read debug information.
std::string report_for_a_person(const json& found) {
  Dl_info library{};
  dladdr(reinterpret_cast<const void*>(&call_body), &library);
  const std::string path(library.dli_fname);
  const std::string command = path.substr(0, path.rfind('/')) + "/../bin/norn";
  const std::string text = found.dump(-1, ' ', false, json::error_handler_t::replace);
  const int input = memfd_create("norn-found", 0);
  const int output = memfd_create("norn-report", 0);
  [[maybe_unused]] const ssize_t written = write(input, text.data(), text.size());
  const std::string file = fmt::format("/dev/fd/{}", input);
  const char* const words[] = {command.c_str(), "explain", file.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  std::string report;
  if (NORN_REAL(posix_spawn)(&child, command.c_str(), &actions, nullptr, const_cast<char* const*>(words), environ) ==
      0) {
    NORN_REAL(waitpid)(child, nullptr, 0);
    report = read_whole(output);
  }
  posix_spawn_file_actions_destroy(&actions);
  close(input);
  close(output);
  return report.empty() ? fmt::format("(the report needs {}, which cannot be run)\n", command) : report;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Deadlocks and races are described by the report: in the paragraph below the line that says what kind of bug it is.
std::string message_of(const json& bug, const std::string& report) {
  if (const std::string message = bug.at("message"); !message.empty()) return one_line(message);
  const std::size_t begin = report.find('\n');
  const std::size_t end = report.find("\n\n");
  if (begin >= end || end == std::string::npos) return {};
  std::string message;
  for (const char c : report.substr(begin, end - begin))
    if (c == '\n' || c == ' ') {
      if (!message.empty() && message.back() != ' ') message += ' ';
    } else {
      message += c;
    }
  return message;
}

std::string summarize(const json& found) {
  const json& bugs = found.at("bugs");
  const bool complete = found.at("complete");
  std::string text = fmt::format("verdict {}\n", !bugs.empty() ? "bug" : complete ? "pass" : "incomplete");
  text += fmt::format("complete {}\n", complete ? 1 : 0);
  for (const char* name : {"executions", "distinct", "deadlocks"})
    text += fmt::format("{} {}\n", name, found.at(name).get<std::int64_t>());
  text += fmt::format("seconds {}\n", found.at("seconds").get<double>());
  const std::string report = report_for_a_person(found);
  if (!bugs.empty()) {
    text += fmt::format("kind {}\n", bugs[0].at("kind").get<std::string>());
    text += fmt::format("message {}\n", message_of(bugs[0], report));
  }
  return text + "\n" + report;
}

std::string explore_to_text(const char* options, exec::Body body, std::span<std::byte> stack) {
  const exec::PhaseScope scope(exec::Phase::norn);
  const json parsed = json::parse(options, nullptr, false);
  if (!parsed.is_object()) return "verdict error\n\nthe options of norn::explore cannot be read\n";
  const Options read = parsed.get<Options>();
  if (find_strategy(read.strategy) == nullptr)
    return fmt::format("verdict error\n\nthere is no strategy called {}\n", read.strategy);
  if (find_strategy(read.strategy)->create == nullptr)
    return fmt::format("verdict error\n\nstrategy {} is for whole programs: use norn check\n", read.strategy);
  if (const std::string problem = what_is_wrong(read); !problem.empty())
    return fmt::format("verdict error\n\n{}\n", problem);
  return summarize(exec::explore(read, body, stack));
}

}  // namespace
}  // namespace norn::frontend

using namespace norn;
using namespace norn::frontend;

NORN_EXPORT char* norn_explore(const char* options, void (*body)(void*), void* argument) {
  if (controlled()) misuse(NORN_SITE, "norn::explore is called inside an exploration");
  ExploredCall call{body, argument};
  const exec::OwnFloatingPoint own;
  const exec::Body body_in_run{call_body, &call, own.callers()};
  const std::string text = explore_to_text(options, body_in_run, stack_above(__builtin_frame_address(0)));
  auto* copy = static_cast<char*>(exec::process_allocate(text.size() + 1, 16));
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

NORN_EXPORT int norn_exploring() { return controlled() ? 1 : 0; }

NORN_EXPORT void* norn_always(int (*predicate)(void*), const char* message, std::size_t size) {
  if (!controlled()) return nullptr;
  void* memory = run().current().arena.allocate_own(size);
  run().add_property(predicate, memory, message, NORN_SITE);
  return memory;
}

NORN_EXPORT void norn_fail(const char* message) {
  if (controlled()) run().end_run(End::property, NORN_SITE, message);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
  abort();
}
