// What norn says of itself: help, version and the list of strategies.

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "command.hpp"

namespace norn::test {
namespace {

TEST(Help, IsThereForEveryCommand) {
  const std::vector<Words> questions = {
      {"--help"}, {"check", "--help"}, {"replay", "--help"}, {"strategies", "--help"}};
  for (const Words& question : questions) {
    const Finished finished = norn(question);
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.error, "");
    EXPECT_TRUE(contains(finished.output, "Usage: norn")) << finished.output;
  }
  for (const char* const command : {"check", "replay", "strategies"})
    EXPECT_TRUE(contains(norn({"--help"}).output, std::string("\n  ") + command)) << command;
}

TEST(Help, NamesEveryOptionOfTheContract) {
  const std::string help = norn({"check", "--help"}).output;
  for (const char* const option :
       {"--strategy",  "--preemptions", "--max-executions", "--max-seconds", "--max-steps", "--keep-going", "--plain",
        "--races",     "--wakeup",      "--spurious",       "--isolation",   "--threads",   "--seed",       "--json",
        "--trace-dir", "--quiet",       "--no-color",       "--cflags",      "--ldflags",   "--std"})
    EXPECT_TRUE(contains(help, option)) << option;
  EXPECT_TRUE(contains(help, "Exit codes: 0")) << "what a script needs most";
}

TEST(Help, IsNamedWhereSomethingIsWrong) {
  expect_input_error(norn({"check", "--bogus"}), "there is no option --bogus (see norn check --help)");
  expect_input_error(norn({"check", program("locks.c"), "--bogus", "3"}), "there is no option --bogus");
  expect_input_error(norn({"check"}), "(see norn check --help)");
  expect_input_error(norn({"check", program("locks.c"), "--jobs", "many"}), "(see norn check --help)");
  expect_input_error(norn({"--bogus"}), "there is no option --bogus (see norn --help)");
  expect_input_error(norn({"bogus"}), "there is no command `bogus` (see norn --help)");
}

TEST(Help, CanBeReadByPeople) {
  const std::string help = norn({"check", "--help"}).output;
  EXPECT_FALSE(contains(help, "UINT")) << help;
  EXPECT_FALSE(contains(help, "kb(=1024b)")) << help;
  EXPECT_TRUE(contains(help, "--threads NAME")) << help;
}

TEST(Help, HasAVersion) {
  const Finished finished = norn({"--version"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_TRUE(std::regex_match(finished.output, std::regex("norn [0-9]+\\.[0-9]+\\.[0-9]+\n"))) << finished.output;
}

TEST(Strategies, AreListedOneALineAndAccepted) {
  const Finished finished = norn({"strategies"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.error, "");
  std::set<std::string> names;
  for (const std::string& line : lines(finished.output)) {
    const std::string name = line.substr(0, line.find(' '));
    EXPECT_TRUE(std::regex_match(line, std::regex("[a-z-]+ +[^ ].*"))) << line;
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    const Finished checked =
        norn({"check", program("locks.c"), "--strategy", name, "--max-executions", "10", "--json", "-"});
    EXPECT_EQ(nlohmann::json::parse(checked.output, nullptr, false).value("strategy", ""), name) << checked.error;
  }
  for (const char* const name : {"auto", "exhaustive", "random", "pct", "pos"})
    EXPECT_TRUE(names.contains(name)) << name;
}

}  // namespace
}  // namespace norn::test
