#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "cli/commands.hpp"
#include "cli/control.hpp"
#include "cli/file_option.hpp"
#include "cli/files.hpp"
#include "cli/long_run.hpp"
#include "cli/noise.hpp"
#include "cli/numbers.hpp"
#include "cli/program.hpp"
#include "cli/program_options.hpp"
#include "cli/reporting.hpp"
#include "cli/self_check.hpp"
#include "cli/traces.hpp"
#include "explore/coverage/criterion.hpp"
#include "explore/reachability/reductions.hpp"
#include "explore/strategy.hpp"
#include "frontend/compiler.hpp"
#include "report/coverage.hpp"
#include "report/graph.hpp"
#include "report/report.hpp"
#include "support/complain.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;

/// The options of `norn check`: those of the exploration and those of the command around it.
struct CheckOptions : ProgramOptions {
  Options exploration;
  Noise noise;
  ReportOptions report;
  LongRunOptions long_run;
  std::string outcomes_file;
  std::string behaviours_file;
  std::string runs_file;
  std::string graph_file;
  std::string coverage_file;
  std::string trace_directory = "norn-traces";
  bool self_check = false;
  std::vector<std::string> words;  ///< of the command line
};

void add_coverage_options(CLI::App& command, Options& options) {
  const auto names = coverage::criteria();
  command.add_option("--criterion", options.criterion, "What strategy coverage is to cover")
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())))
      ->capture_default_str();
  command.add_option("--estimate-runs", options.estimate_runs, "Runs from which it estimates what can be covered")
      ->transform(whole_number(1, 1'000'000))
      ->capture_default_str();
  command.add_flag("--happens-before", options.happens_before,
                   "It estimates without what starting and joining threads makes impossible");
  command.add_flag("--without-rule-3", options.without_rule_3,
                   "It resumes any paused thread instead of the least useful");
  command
      .add_option("--saturation", options.saturation, "It stops when coverage did not grow in so many runs (0: never)")
      ->transform(whole_number(0, 1'000'000'000))
      ->default_str("200, or never if there is another limit");
}

void add_noise_options(CLI::App& command, Noise& noise) {
  command.add_option("--noise", noise.kind, "What strategy noise does: give way, or sleep for up to 10 or 100 ms")
      ->check(CLI::IsMember({"yield", "sleep10", "sleep100"}))
      ->capture_default_str();
  command.add_option("--probability", noise.probability, "And how likely, at every operation that synchronizes")
      ->check(probability())
      ->capture_default_str();
}

void add_strategy_options(CLI::App& command, Options& options) {
  std::vector<std::string> names;
  for (const StrategyInfo& strategy : strategies()) names.emplace_back(strategy.name);
  command.add_option("--strategy", options.strategy, "How to explore (see norn strategies)")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the strategies that draw at random")
      ->transform(whole_number(0, any_number))
      ->capture_default_str();
  command.add_option("--pct-depth", options.pct_depth, "Bug depth d that strategy pct aims at")
      ->transform(whole_number(1, most_depth))
      ->capture_default_str();
  command.add_option("--t", options.t, "t of strategy t-way: so many changes of races are combined")
      ->transform(whole_number(1, most_changes))
      ->capture_default_str();
  command
      .add_option("--reduce", options.reduce,
                  "What reachability and t-way need not tell apart: pv, symmetry, symmetry-paper, symmetry=auto, "
                  "unordered (separated by commas)")
      ->check([](const std::string& list) {
        const std::string unknown = reachability::unknown_reduction(list);
        return unknown.empty() ? "" : "there is no reduction called " + unknown;
      });
  add_coverage_options(command, options);
  command
      .add_option("--preemptions", options.preemptions,
                  "Explore only behaviours with a run of at most so many switches from threads that could go on")
      ->transform(whole_number(0, most_preemptions))
      ->default_str("any number");
  command.add_option("--wakeup", options.wakeup, "Whom a signal wakes: any waiter, or the first")
      ->check(CLI::IsMember({"any", "fifo"}))
      ->capture_default_str();
  command.add_option("--spurious", options.spurious, "Spurious wake-ups allowed per run")
      ->transform(whole_number(0, 1000))
      ->capture_default_str();
  command.add_flag("--keep-going", options.keep_going, "Explore on after a bug");
  command
      .add_option("--minimise", options.minimise,
                  "Runs to look for fewer preemptions and events that show a bug (0: show it as found)")
      ->transform(whole_number(0, any_number))
      ->capture_default_str();
}

void add_limit_options(CLI::App& command, Options& options) {
  command.add_option("--max-executions", options.max_executions, "Stop after so many runs (0: no limit)")
      ->transform(whole_number(0, any_number));
  command.add_option("--max-seconds", options.max_seconds, "Stop after so many seconds (0: no limit)")
      ->check(seconds());
  command.add_option("--jobs", options.jobs, "Processes that share the work (0: as many as there are processors)")
      ->transform(whole_number(0, most_jobs))
      ->capture_default_str();
  command.add_option("--chaos", options.chaos)
      ->description("Kill processes of --jobs at random moments, drawn with this seed")
      ->transform(whole_number(1, any_number))
      ->group("");  // for tests only
  command.add_option("--forget", options.forget)
      ->description(
          "Strategy dpor forgets every so many-th of the graphs it is to derive, reachability all colours, "
          "t-way also a row of every table")
      ->transform(whole_number(1, any_number))
      ->group("");  // for tests only
  command.add_flag("--check-tables", options.check_tables)
      ->description("Strategy t-way checks that its race tables cover all combinations");
  command.add_option("--max-steps", options.max_steps, "Visible operations per run")
      ->transform(whole_number(1, most_steps))
      ->capture_default_str();
  command.add_option("--max-threads", options.max_threads, "Threads per exploration, the main thread included")
      ->transform(whole_number(1, most_threads))
      ->capture_default_str();
  command
      .add_option("--max-memory", options.max_memory,
                  "Bytes of heap per thread and run; kb, mb or gb may follow the number")
      ->transform(CLI::AsSizeValue(false))
      ->check(whole_number(least_memory, most_memory))
      ->capture_default_str();
  command.add_option("--max-run-seconds", options.max_run_seconds, "Seconds a run may go without a visible operation")
      ->check(seconds())
      ->capture_default_str();
}

void add_execution_options(CLI::App& command, CheckOptions& options) {
  command.add_option("--isolation", options.exploration.isolation, "How runs are kept apart")
      ->check(CLI::IsMember({"snapshot", "fork", "none"}))
      ->capture_default_str();
  command.add_flag("--from-start", options.exploration.from_start,
                   "Every run begins at the start of the program, none in the middle of an earlier one (slower)");
  command.add_option("--threads", options.exploration.threads, "What threads of the program are run as")
      ->check(CLI::IsMember({"fiber", "os"}))
      ->capture_default_str();
  command.add_option("--races", options.exploration.races, "Data races are bugs, are only reported, or do not matter")
      ->check(CLI::IsMember({"fail", "report", "ignore"}))
      ->capture_default_str();
  command
      .add_option("--memory", options.exploration.memory,
                  "Use after free, overflows and the like are bugs, or do not matter")
      ->check(CLI::IsMember({"fail", "ignore"}))
      ->capture_default_str();
  command.add_flag("--leaks", options.exploration.leaks,
                   "Memory that is still allocated and unreachable when a run ends is a bug");
  command
      .add_option("--plain", options.exploration.plain,
                  "Plain accesses to memory: only watched for races, or scheduling points where they race")
      ->check(CLI::IsMember({"race", "visible"}))
      ->capture_default_str();
}

void add_report_options(CLI::App& command, CheckOptions& options) {
  add_to(command, options.report);
  add_file_option(command, "--outcomes", options.outcomes_file,
                  "Write every distinct way runs end (status and standard output) to this JSON file");
  add_file_option(command, "--list-runs", options.runs_file,
                  "Write one line for every run: how it ended and its events");
  add_file_option(command, "--list-behaviours", options.behaviours_file,
                  "Write one line for every run: how it ended and a number that is the same for equivalent runs");
  add_file_option(command, "--graph", options.graph_file,
                  "Write what was explored as a graph of events: JSON if the name ends in .json, otherwise DOT");
  add_file_option(command, "--coverage-file", options.coverage_file,
                  "Keep what strategy coverage has covered, and go on from what is there");
  add_file_option(command, "--trace-dir", options.trace_directory, "Where to put the traces of failing runs",
                  "DIRECTORY")
      ->capture_default_str();
  command.add_flag("--self-check", options.self_check,
                   "Plant a known bug beside the program, and see whether it is found in the same way");
}

/// What earlier explorations came to: what they covered need not be covered again.
CoverageRecord coverage_so_far(const CheckOptions& options, Options& exploration, LineNumbers& lines) {
  if (options.coverage_file.empty()) return {};
  if (exploration.strategy != "coverage") throw InputError("--coverage-file needs --strategy coverage");
  CoverageRecord record;
  if (fs::exists(options.coverage_file)) record = read_coverage(options.coverage_file);
  if (!record.criterion.empty() && record.criterion != exploration.criterion)
    throw InputError(
        fmt::format("{} is about {}, not about {}", options.coverage_file, record.criterion, exploration.criterion));
  require_writable(options.coverage_file + ".new");
  for (const auto& [first, second] : record.covered)
    exploration.covered.emplace_back(lines.number(first), lines.number(second));
  for (const auto& [first, second] : record.uncovered)
    exploration.uncovered.emplace_back(lines.number(first), lines.number(second));
  return record;
}

using NamedFile = std::pair<std::string, std::string>;  // an option, and what is given with it

/// What an exploration writes besides reports.
std::vector<NamedFile> files_of_exploration(const CheckOptions& options) {
  return {{"--outcomes", options.outcomes_file},
          {"--list-runs", options.runs_file},
          {"--list-behaviours", options.behaviours_file},
          {"--graph", options.graph_file},
          {"--coverage-file", options.coverage_file}};
}

/// Nobody shall wait for a file that never comes.
void refuse(const std::vector<NamedFile>& files, std::string_view reason) {
  for (const auto& [name, file] : files)
    if (!file.empty()) throw InputError(fmt::format("{} {}", reason, name));
}

/// Whether the planted bug is found is a line of text or, for programs, a small object.
void refuse_what_self_check_has_not(const CheckOptions& options) {
  std::vector<NamedFile> files = files_of_exploration(options);
  for (const auto& [reporter, file] : options.report.files)
    if (reporter != "json") files.emplace_back("--" + std::string(reporter), file);
  files.emplace_back("--checkpoint", options.long_run.checkpoint);
  files.emplace_back("--resume", options.long_run.resume);
  refuse(files, "--self-check is not about the bugs of the program, so it does not go with");
}

int check_with_noise(const CheckOptions& options, const Program& program, Reporters& reporters) {
  if (!options.long_run.checkpoint.empty() || !options.long_run.resume.empty())
    throw InputError(why_no_checkpoint(options.exploration));
  ProgressLine line(!options.report.quiet);
  const Report report = run_with_noise(options.program.front(), program, options.exploration, options.noise, line);
  reporters.ended(report);
  return report.exit_code();
}

/// Whether a bug is found that is known to be there.
int check_itself(const CheckOptions& options) {
  const SelfCheck result = self_check(options, options.exploration);
  const std::string json_file = options.report.wants("json") ? options.report.files.at("json") : "";
  if (!options.report.quiet && json_file != "-") say("{}\n", result.text());
  if (!json_file.empty()) write_file(json_file, result.to_json().dump(2) + "\n");
  return result.exit_code();
}

std::vector<std::string> written_files(const CheckOptions& options) {
  std::vector<std::string> files = {options.outcomes_file,   options.runs_file,     options.graph_file,
                                    options.behaviours_file, options.coverage_file, options.long_run.checkpoint};
  for (const auto& [reporter, file] : options.report.files) files.push_back(file);
  return files;
}

/// What was explored before the process was killed is not lost if there is a checkpoint. Whoever reads the reports must
/// not find those of an earlier exploration.
nlohmann::json explore(const Program& program, const Options& wanted, const Conversation& conversation,
                       const LongRun& long_run, const CheckOptions& options, Reporters& reporters) {
  try {
    return run_under_control(program, wanted, conversation);
  } catch (const Killed& killed) {
    const std::string command = long_run.resume_command(options.words);
    const std::string what = killed.what() + (command.empty() ? "" : "; to go on from its last checkpoint: " + command);
    Report report;
    report.program = options.program.front();
    report.strategy = wanted.strategy;
    report.reasons.push_back(what);
    reporters.ended(report);
    throw Killed(what);
  }
}

int check(const CheckOptions& options) {
  if (const std::string problem = what_is_wrong(options.exploration); !problem.empty()) throw InputError(problem);
  require_different(written_files(options), options.program);
  // Nothing is explored, so there are no outcomes or graphs either.
  if (options.exploration.strategy == "noise")
    refuse(files_of_exploration(options), "strategy noise controls nothing, so it cannot write");
  if (options.self_check) refuse_what_self_check_has_not(options);
  require_writable(options.outcomes_file);
  require_writable(options.runs_file);
  require_writable(options.graph_file);
  require_writable(options.behaviours_file);
  if (options.self_check) return check_itself(options);
  Reporters reporters = start_reporters(options.report, options.program.front());
  const Program program = prepare(options, options.exploration.plain);
  if (options.exploration.strategy == "noise") return check_with_noise(options, program, reporters);
  LineNumbers lines;
  Options wanted = options.exploration;
  if (wanted.strategy == "coverage" && coverage::is_about_accesses(wanted.criterion)) wanted.plain = "shared";
  CoverageRecord record = coverage_so_far(options, wanted, lines);
  LongRun long_run(options.long_run, wanted, program, usual_checkpoint(program, options.trace_directory),
                   options.report.quiet);
  Conversation conversation;
  conversation.answer = [&lines](const nlohmann::json& question) { return lines.answer(question); };
  long_run.take_part(conversation);
  const nlohmann::json sent = explore(program, wanted, conversation, long_run, options, reporters);
  if (sent.contains("fatal")) throw std::runtime_error(sent.at("fatal").get<std::string>());
  Options explored = wanted;
  explored.covered.clear();
  explored.uncovered.clear();
  explored.jobs = 1;
  explored.compare = explored.check_tables = false;
  explored.chaos = explored.forget = 0;
  explored.releases_visible = sent.at("releases_visible");
  explored.readers_ordered = sent.at("readers_ordered");
  explored.barriers_ordered = sent.at("barriers_ordered");
  explored.sends_visible = sent.at("sends_visible");
  explored.locks_one_by_one = sent.at("locks_one_by_one");
  explored.visible = sent.at("visible");
  explored.loops = sent.at("loops");
  Report report = make_report(options.program.front(), sent);
  report.coverage = named_coverage(sent.at("coverage"), lines);
  report.control = control_of(sent);
  if (!report.control->program_is_instrumented) {
    report.reasons.emplace_back(not_instrumented);
    report.complete = false;
  }
  long_run.tell(report, sent.at("resumable"), options.words);
  write_traces(report, program, explored, options.trace_directory);
  reporters.ended(report);
  if (!options.coverage_file.empty() && !report.coverage.empty()) {
    record.add(report.coverage, report.executions);
    write_coverage(options.coverage_file, record);
  }
  if (!options.outcomes_file.empty())
    write_file(options.outcomes_file,
               sent.at("outcomes").dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  if (!options.graph_file.empty()) write_file(options.graph_file, graph_text(sent, options.graph_file));
  if (!options.runs_file.empty()) {
    auto runs = sent.at("runs").get<std::vector<std::string>>();
    if (!report.coverage.empty())
      for (std::string& run : runs) run = lines.name_all(run);
    write_file(options.runs_file, fmt::format("{}\n", fmt::join(runs, "\n")));
  }
  if (!options.behaviours_file.empty())
    write_file(options.behaviours_file,
               fmt::format("{}\n", fmt::join(sent.at("behaviours").get<std::vector<std::string>>(), "\n")));
  return report.exit_code();
}

}  // namespace

void add_check(CLI::App& app, const std::vector<std::string>& words, const std::vector<std::string>& program_arguments,
               int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Explore a program: run it in every way its threads can interleave");
  const auto options = std::make_shared<CheckOptions>();
  command->footer(
      "Arguments after -- go to the program. Exit codes: 0 all correct, 1 bug, 2 usage, 3 incomplete, 4 internal.");
  add_to(*command, *options);
  add_strategy_options(*command, options->exploration);
  add_noise_options(*command, options->noise);
  add_limit_options(*command, options->exploration);
  add_to(*command, options->long_run);
  add_execution_options(*command, *options);
  add_report_options(*command, *options);
  command->callback([options, &words, &program_arguments, &exit_code] {
    options->words = words;
    options->arguments = program_arguments;
    unsigned& jobs = options->exploration.jobs;
    if (jobs == 0) jobs = std::clamp(std::thread::hardware_concurrency(), 1U, most_jobs);
    options->exploration.outcomes = !options->outcomes_file.empty();
    options->exploration.list_runs = !options->runs_file.empty();
    options->exploration.graph = !options->graph_file.empty();
    options->exploration.compare = options->report.wants("html");
    options->exploration.list_behaviours = !options->behaviours_file.empty();
    exit_code = check(*options);
  });
}

}  // namespace norn
