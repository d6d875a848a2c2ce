#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/file_option.hpp"
#include "cli/files.hpp"
#include "cli/numbers.hpp"
#include "cli/program_options.hpp"
#include "cli/traces.hpp"
#include "report/known_names.hpp"
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

/// An event of a sequence, as a person writes it.
struct Step {
  std::size_t line = 0;
  std::string thread;
  std::string operation;
  std::string alternative = "*";
  std::string object = "*";
};

struct Sequence {
  std::vector<Step> steps;
  Options options;  ///< those that the program was explored with, if Norn wrote it
};

/// `THREAD OPERATION [ALTERNATIVE] [at ANYTHING] [on OBJECT]`, perhaps with a number before it.
Step read_step(const std::string& line, std::size_t number, const std::string& file) {
  const auto is_number = [](const std::string& word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
  };
  Step step{number};
  std::string rest = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (const std::size_t on = rest.rfind(" on "); on != std::string::npos) {
    step.object = rest.substr(rest.find_first_not_of(' ', on + 4));
    rest.resize(on);
  }
  if (const std::size_t at = rest.find(" at "); at != std::string::npos) rest.resize(at);
  std::istringstream words(rest);
  words >> step.thread;
  if (is_number(step.thread)) words >> step.thread;
  if (!(words >> step.operation)) throw InputError(line_of(number, file, "a thread and an operation were expected"));
  if (op_named(step.operation) == Op::none)
    throw InputError(line_of(number, file, fmt::format("`{}` is not an operation", step.operation)));
  words >> step.alternative;
  std::string more;
  if (step.alternative == "on" || words >> more)
    throw InputError(line_of(number, file, "nothing but `on OBJECT` was expected after the operation"));
  return step;
}

/// The events of a trace that Norn wrote.
Sequence read_recorded(const std::string& file) {
  const TraceFile trace = read_trace(file);
  Sequence sequence{{}, trace.options};
  for (const ReportedEvent& event : trace.events)
    sequence.steps.push_back({0, event.thread, event.operation, event.alternative, "!"});
  return sequence;
}

Sequence read_sequence(const std::string& file) {
  std::ifstream stream(file);
  // Some devices have no end.
  if (!stream || std::filesystem::is_character_file(file))
    throw InputError(fmt::format("cannot read the sequence {}", file));
  Sequence sequence;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (number == 1 && line.starts_with("norn-trace ")) {
      sequence = read_recorded(file);
      break;
    }
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    sequence.steps.push_back(read_step(line.substr(begin), number, file));
  }
  if (sequence.steps.empty()) throw InputError(fmt::format("the sequence {} has no events", file));
  return sequence;
}

/// As the runtime wants it (explore/accept.hpp). What is the name of something in the program means that.
std::string text_of(const Sequence& sequence, const KnownNames& known, const std::string& file) {
  std::string text;
  std::set<std::string> objects;
  for (const Step& step : sequence.steps) {
    std::string thread = step.thread;
    if (const auto found = known.threads.find(thread); found != known.threads.end()) {
      if (found->second.size() > 1)
        throw InputError(
            line_of(step.line, file, fmt::format("`{}` can be {}", thread, fmt::join(found->second, " or "))));
      thread = *found->second.begin();
    }
    objects.insert(step.object);
    text += fmt::format("{} {} {} {}\n", thread, step.operation, step.alternative, step.object);
  }
  for (const std::string& name : objects)
    if (const auto found = known.objects.find(name); found != known.objects.end())
      for (const std::uint64_t address : found->second) text += fmt::format("= {} {}\n", address, name);
  return text;
}

/// What could happen instead, each once.
std::string instead(const nlohmann::json& sent, const KnownNames& known) {
  std::vector<std::string> all;
  for (const auto& [what, object] : sent.at("instead").get<std::vector<std::pair<std::string, std::uint64_t>>>()) {
    const auto name = known.names.find(object);
    const std::string text = name == known.names.end() ? what : fmt::format("{} on {}", what, name->second);
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
  }
  return all.empty() ? "nothing" : printable(fmt::format("{}", fmt::join(all, ", ")));
}

int tell(const nlohmann::json& sent, const KnownNames& known, const AcceptOptions& options) {
  const std::size_t events = sent.at("sequence_events");
  const std::size_t reached = sent.at("reached");
  if (sent.at("accepted").get<bool>()) {
    if (!options.quiet)
      say("allowed: a run exercises {}\n", events == 1 ? "the event" : fmt::format("all {} events", events));
    return allowed;
  }
  const bool decided = sent.at("decided");
  if (!options.quiet) {
    say("{}: the most that a run exercises is {} of {}\n", decided ? "not allowed" : "undecided", reached,
        plural(events, "event"));
    say("  then comes one of: {}\n", printable(fmt::format("{}", fmt::join(sent.at("expected"), ", "))));
    say("  but what is possible is: {}\n", instead(sent, known));
    if (!decided) say("  not all runs have been tried (--max-executions {})\n", options.max_executions);
  }
  return decided ? not_allowed : undecided;
}

/// What the runtime finds. The first time it only has a look around; and what names mean may show in the run that it
/// finds, which may change the answer.
nlohmann::json look_for(const Sequence& sequence, const Program& program, Options exploration, KnownNames& known,
                        const AcceptOptions& options) {
  const bool has_names = sequence.steps.front().object != "!";
  nlohmann::json sent;
  for (bool is_first = has_names;; is_first = false) {
    std::string text = text_of(sequence, known, options.sequence);
    if (text == exploration.sequence && exploration.max_executions == options.max_executions) return sent;
    exploration.sequence = std::move(text);
    exploration.max_executions = is_first ? 1 : options.max_executions;
    sent = run_under_control(program, exploration);
    if (sent.contains("fatal")) throw std::runtime_error(sent.at("fatal").get<std::string>());
    for (const nlohmann::json& run : sent.at("bugs")) known.add(sent, run);
    if (!has_names) return sent;
  }
}

int accept(const AcceptOptions& options) {
  require_different({options.trace}, options.program);
  const Sequence sequence = read_sequence(options.sequence);
  Options exploration = sequence.options;
  exploration.isolation = "snapshot";
  exploration.jobs = 1;
  const Program program = prepare(options, exploration.plain);
  KnownNames known;
  const nlohmann::json sent = look_for(sequence, program, exploration, known, options);
  const int verdict = tell(sent, known, options);
  if (verdict != allowed || options.trace.empty()) return verdict;
  const Report report = make_report(options.program.front(), sent);
  const ReportedBug& run = report.bugs.front();
  write_trace(options.trace, trace_of(run, program, exploration));
  return verdict;
}

}  // namespace

void add_accept(CLI::App& app, const std::vector<std::string>& program_arguments, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("accept", "Is this sequence of synchronization events allowed by the program?");
  const auto options = std::make_shared<AcceptOptions>();
  add_to(*command, *options);
  add_file_option(*command, "--sequence", options->sequence, "The sequence, or a trace that norn check wrote")
      ->required();
  add_file_option(*command, "--trace", options->trace, "Write the run that exercises it to this file");
  command->add_option("--max-executions", options->max_executions, "Runs to look for it (0: no limit)")
      ->transform(whole_number(0, any_number))
      ->capture_default_str();
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
