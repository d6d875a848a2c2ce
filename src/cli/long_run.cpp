#include "cli/long_run.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "cli/file_option.hpp"
#include "cli/numbers.hpp"
#include "report/sentences.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string file_of(const LongRunOptions& options, const std::string& usual_file) {
  if (!options.checkpoint.empty()) return options.checkpoint;
  return options.resume.empty() ? usual_file : options.resume;
}

/// Whether a word is an option, and whether its value is the next word.
enum class Match { no, alone, with_next };
Match match(std::string_view word, std::string_view option) {
  if (word == option) return Match::with_next;
  return word.starts_with(option) && word[option.size()] == '=' ? Match::alone : Match::no;
}

/// The same command again, from the checkpoint on and without the limit that it has come to.
std::string command_from(const Words& words, const std::string& file) {
  const auto end = std::find(words.begin(), words.end(), "--");
  std::string command = "norn";
  for (auto word = words.begin(); word != end; ++word) {
    Match found = Match::no;
    for (const char* const option : {"--checkpoint", "--resume", "--max-executions"})
      if (found == Match::no) found = match(*word, option);
    if (found == Match::no) command += " " + for_a_shell(*word);
    if (found == Match::with_next && word + 1 != end) ++word;
  }
  command += " --resume " + for_a_shell(file);
  for (auto word = end; word != words.end(); ++word) command += " " + for_a_shell(*word);
  return command;
}

}  // namespace

void add_to(CLI::App& command, LongRunOptions& options) {
  add_file_option(command, "--checkpoint", options.checkpoint,
                  "Write to this file, again and again, what it takes to go on");
  add_file_option(command, "--resume", options.resume, "Go on from such a file, and write to it");
  command.add_option("--checkpoint-seconds", options.seconds, "How often")->check(seconds())->capture_default_str();
}

LongRun::LongRun(const LongRunOptions& options, Options& exploration, const Program& program,
                 const std::string& usual_file, bool is_quiet)
    : line_(!is_quiet), file_(file_of(options, usual_file), {program.given, program.arguments, exploration}) {
  exploration.progress = line_.is_on();
  exploration.checkpoint = !options.checkpoint.empty() || !options.resume.empty();
  exploration.checkpoint_seconds = options.seconds;
  if (const std::string problem = what_is_wrong(exploration); !problem.empty()) throw InputError(problem);
  if (!options.resume.empty())
    state_ = read_checkpoint(options.resume, {program.given, program.arguments, exploration});
  if (exploration.checkpoint) file_.require_writable();
}

void LongRun::take_part(Conversation& conversation) {
  conversation.resume = state_;
  conversation.progress = [this](const nlohmann::json& progress) { line_.show(progress); };
  conversation.checkpoint = [this](const std::string& state) {
    std::error_code ignored;  // if it cannot be made, neither can the file
    const fs::path directory = fs::path(file_.name()).parent_path();
    if (!directory.empty()) fs::create_directories(directory, ignored);
    file_.write(state);
  };
}

void LongRun::tell(Report& report, bool is_resumable, const Words& words) {
  line_.clear();
  report.checkpoint_problem = file_.problem();
  if (!file_.is_written()) return;
  report.checkpoint = file_.name();
  if (is_resumable) report.resume_command = resume_command(words);
}

std::string LongRun::resume_command(const Words& words) const {
  return file_.is_written() ? command_from(words, file_.name()) : "";
}

}  // namespace norn
