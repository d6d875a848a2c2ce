#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/program_options.hpp"
#include "report/names.hpp"
#include "report/report.hpp"
#include "report/trace_file.hpp"
#include "support/error.hpp"
#include "trace/event.hpp"

namespace norn {
namespace {

constexpr int allowed = 0;
constexpr int not_allowed = 1;
constexpr int undecided = 3;

struct AcceptOptions : ProgramOptions {
  std::string sequence;
  std::string trace;
  std::uint64_t max_executions = 100'000;
  bool quiet = false;
};

std::string line_of(std::size_t number, const std::string& file, const std::string& problem) {
  return fmt::format("{}, line {}: {}", file, number, problem);
}

/// `THREAD OPERATION [ALTERNATIVE] [at ANYTHING] [on OBJECT]`, perhaps with a number before it.
std::string step_of(const std::string& line, std::size_t number, const std::string& file) {
  const auto is_number = [](const std::string& word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
  };
  std::string rest = line;
  std::string object = "*";
  if (const std::size_t on = line.rfind(" on "); on != std::string::npos) {
    object = line.substr(on + 4);
    rest = line.substr(0, on);
  }
  if (const std::size_t at = rest.find(" at "); at != std::string::npos) rest.resize(at);
  std::istringstream words(rest);
  std::string thread;
  std::string operation;
  std::string alternative = "*";
  words >> thread;
  if (is_number(thread)) words >> thread;
  if (!(words >> operation)) throw InputError(line_of(number, file, "a thread and an operation were expected"));
  if (op_named(operation) == Op::none)
    throw InputError(line_of(number, file, fmt::format("`{}` is not an operation", operation)));
  words >> alternative;
  return fmt::format("{} {} {} {}\n", thread, operation, alternative, object);
}

/// The events of a trace that Norn wrote.
std::string sequence_of_trace(const std::string& file, Options& options) {
  const TraceFile trace = read_trace(file);
  options = trace.options;
  std::string sequence;
  for (const ReportedEvent& event : trace.events)
    sequence += fmt::format("{} {} {} !\n", event.thread, event.operation, event.alternative);
  return sequence;
}

std::string read_sequence(const std::string& file, Options& options) {
  std::ifstream stream(file);
  if (!stream) throw InputError(fmt::format("cannot read the sequence {}", file));
  std::string sequence;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (number == 1 && line.starts_with("norn-trace ")) return sequence_of_trace(file, options);
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    sequence += step_of(line.substr(begin), number, file);
  }
  if (sequence.empty()) throw InputError(fmt::format("the sequence {} has no events", file));
  return sequence;
}

int tell(const nlohmann::json& sent, const AcceptOptions& options) {
  const std::size_t events = sent.at("sequence_events");
  const std::size_t reached = sent.at("reached");
  const auto list = [&](const char* name) { return printable(fmt::format("{}", fmt::join(sent.at(name), ", "))); };
  if (sent.at("accepted").get<bool>()) {
    if (!options.quiet) say("allowed: a run exercises all {} events\n", events);
    return allowed;
  }
  const bool decided = sent.at("decided");
  if (!options.quiet) {
    say("{}: the most that a run exercises is {} of {} events\n", decided ? "not allowed" : "undecided", reached,
        events);
    say("  then comes one of: {}\n", list("expected"));
    const std::string instead = list("instead");
    say("  but what is possible is: {}\n", instead.empty() ? "nothing" : instead);
    if (!decided) say("  after {} runs not all have been tried (--max-executions)\n", options.max_executions);
  }
  return decided ? not_allowed : undecided;
}

int accept(const AcceptOptions& options) {
  Options exploration;
  exploration.sequence = read_sequence(options.sequence, exploration);
  exploration.isolation = "snapshot";
  exploration.jobs = 1;
  exploration.max_executions = options.max_executions;
  const Program program = prepare(options, exploration.plain);
  const nlohmann::json sent = run_under_control(program, exploration);
  if (sent.contains("fatal")) throw std::runtime_error(sent.at("fatal").get<std::string>());
  const int verdict = tell(sent, options);
  if (verdict != allowed || options.trace.empty()) return verdict;
  const Report report = make_report(options.program.front(), sent);
  const ReportedBug& run = report.bugs.front();
  exploration.sequence.clear();
  write_trace(options.trace, {program.executable, program.arguments, exploration, run.kind, run.message, run.thread,
                              run.place.text(), run.events});
  return verdict;
}

}  // namespace

void add_accept(CLI::App& app, const std::vector<std::string>& program_arguments, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("accept", "Is this sequence of synchronization events allowed by the program?");
  const auto options = std::make_shared<AcceptOptions>();
  add_to(*command, *options);
  command->add_option("--sequence", options->sequence, "The sequence, or a trace that norn check wrote")
      ->type_name("FILE")
      ->required();
  command->add_option("--trace", options->trace, "Write the run that exercises it to this file")->type_name("FILE");
  command->add_option("--max-executions", options->max_executions, "Runs to look for it")->capture_default_str();
  command->add_flag("--quiet", options->quiet, "Print nothing but errors");
  command->footer(
      "A sequence has one line for each event: THREAD OPERATION [ALTERNATIVE] [on OBJECT], e.g. `main/1 mutex.lock on "
      "a`.\n"
      "Events of one thread are in the order of the lines, and so are events on one object; nothing else is ordered.\n"
      "Exit codes: 0 allowed, 1 not allowed, 2 usage, 3 undecided.");
  command->callback([options, program_arguments, &exit_code] {
    options->arguments = program_arguments;
    exit_code = accept(*options);
  });
}

}  // namespace norn
