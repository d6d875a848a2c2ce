#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/help.hpp"
#include "cli/interrupts.hpp"
#include "cli/program.hpp"
#include "support/complain.hpp"
#include "support/error.hpp"

namespace {

constexpr int bug_found = 1;
constexpr int usage_error = 2;
constexpr int incomplete = 3;
constexpr int internal_error = 4;

/// File names may contain anything; a message is one line all the same.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return text;
}

int report_internal_error(const std::string& what) {
  std::error_code no_directory;
  auto directory = std::filesystem::temp_directory_path(no_directory);
  if (no_directory) directory = "/tmp";
  const auto file = directory / fmt::format("norn-error-{}.txt", getpid());
  std::ofstream(file) << "norn " NORN_VERSION "\n" << what << "\n";
  norn::complain("norn: internal error: {}; please report this, with the details in {}\n", what, file.string());
  return internal_error;
}

/// A file that is opened later must not become what was standard output or standard error. Who closes standard output
/// is told that there is none, as if the disk were full.
void open_closed_streams() {
  const std::pair<const char*, int> streams[] = {
      {"/dev/null", O_RDONLY}, {"/dev/full", O_WRONLY}, {"/dev/null", O_WRONLY}};
  for (int i = 0; i < 3; ++i)
    if (fcntl(i, F_GETFD) == -1) static_cast<void>(open(streams[i].first, streams[i].second));
}

int end_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  return 128 + signal_number;
}

/// An option that the library passed over, if it complains of something else before that.
std::string unknown_option(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining(true);
  const auto option = std::find_if(rest.begin(), rest.end(), [](auto& word) { return word.starts_with('-'); });
  return option == rest.end() ? "" : *option;
}

int report_usage_error(const CLI::App& app, const std::string& word, const CLI::ParseError& error) {
  const auto commands = app.get_subcommands([&word](const CLI::App* command) { return command->get_name() == word; });
  const std::string option = unknown_option(app);
  std::string problem = error.what();
  if (!option.empty()) problem = "there is no option " + option;
  if (commands.empty() && !word.empty() && word[0] != '-') problem = "there is no command `" + word + "`";
  norn::complain("norn: {} (see norn {}--help)\n", on_one_line(problem), commands.empty() ? "" : word + " ");
  return usage_error;
}

int run(int argc, char** argv) {
  CLI::App app{"Norn runs a concurrent C++ program in every way its threads can interleave, and explains what fails."};
  app.name("norn");
  app.set_version_flag("--version", "norn " NORN_VERSION);
  app.formatter(std::make_shared<norn::HelpFormatter>());
  app.require_subcommand(1);
  int exit_code = 0;
  char** const separator = std::find(argv, argv + argc, std::string_view("--"));
  const std::vector<std::string> program_arguments(std::min(separator + 1, argv + argc), argv + argc);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  norn::add_check(app, words, program_arguments, exit_code);
  norn::add_replay(app, exit_code);
  norn::add_show(app, exit_code);
  norn::add_accept(app, program_arguments, exit_code);
  norn::add_explain(app, exit_code);
  norn::add_strategies(app, exit_code);
  norn::add_manual(app, exit_code);
  norn::add_completion(app, exit_code);
  try {
    app.parse(static_cast<int>(separator - argv), argv);
  } catch (const CLI::Success& help) {
    const int asked = app.exit(help);
    norn::write_file("-", "");  // whether anybody could read it
    return norn::was_file_lost() ? usage_error : asked;
  } catch (const CLI::ParseError& error) {
    return report_usage_error(app, argc > 1 ? argv[1] : "", error);
  }
  // A bug is a bug, but nobody shall take a missing report for a good one.
  return norn::was_file_lost() && exit_code != bug_found ? usage_error : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  open_closed_streams();
  try {
    return run(argc, argv);
  } catch (const norn::Interrupted& interrupted) {
    return end_by(interrupted.signal);
  } catch (const norn::Interruption& interruption) {
    norn::complain("norn: {}\n", on_one_line(interruption.what()));
    return end_by(interruption.signal);
  } catch (const norn::Killed& error) {
    norn::complain("norn: {}\n", on_one_line(error.what()));
    return incomplete;
  } catch (const norn::InputError& error) {
    norn::complain("norn: {}\n", on_one_line(error.what()));
    return usage_error;
  } catch (const std::exception& error) {
    return report_internal_error(error.what());
  }
}
