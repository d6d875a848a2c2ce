// Manual pages and completions, which the command makes of its own options.

#include <gtest/gtest.h>

#include "command.hpp"

namespace norn::test {
namespace {

bool is_installed(const std::string& tool) { return shell("command -v " + tool).exit_code == 0; }

/// The commands that norn --help lists.
Words commands() {
  Words list;
  bool listed = false;
  for (const std::string& line : lines(norn({"--help"}).output)) {
    if (listed && line.starts_with("  ") && line[2] != ' ') list.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (line.starts_with("Subcommands:")) listed = true;
  }
  return list;
}

TEST(Manual, HasAPageForEveryCommandAndEveryOption) {
  ASSERT_GE(commands().size(), 5U);
  for (const std::string& command : commands()) {
    const Finished page = norn({"manual", command});
    EXPECT_EQ(page.exit_code, 0) << page.error;
    for (const std::string& line : lines(norn({command, "--help"}).output)) {
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string::npos || begin > 2 || line[begin] != '-') continue;
      std::string option = line.substr(begin, line.find_first_of(" ,", begin) - begin);
      std::string escaped;
      for (const char c : option) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_TRUE(contains(page.output, "\\fB" + escaped + "\\fR")) << command << " " << option;
    }
  }
  for (const std::string& command : commands()) EXPECT_TRUE(contains(norn({"manual"}).output, "norn\\-" + command));
  EXPECT_FALSE(contains(norn({"manual", "check"}).output, "chaos")) << "that is for tests only";
  expect_input_error(norn({"manual", "nothing"}), "nothing");
}

TEST(Manual, IsWhatManExpects) {
  if (!is_installed("groff")) GTEST_SKIP() << "groff is not installed";
  const Scratch scratch;
  ASSERT_EQ(norn({"manual", "--directory", scratch.file("man1")}).exit_code, 0);
  const Finished made = shell("for page in '" NORN_BUILD_DIR "'/share/man/man1/norn-c++.1 '" + scratch.file("man1") +
                              "'/*.1; do groff -man -Tutf8 -ww -rLL=80n \"$page\" >/dev/null || exit 1; done");
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_EQ(made.error, "");
  const Finished shown = shell("groff -man -Tascii -P-cbou '" + scratch.file("man1/norn-check.1") + "'");
  EXPECT_TRUE(contains(shown.output, "--max-executions NUMBER")) << shown.output;
  EXPECT_TRUE(contains(shown.output, "norn check program... [options] [-- argument...]")) << shown.output;
}

TEST(Manual, SaysIfItCannotBeWritten) {
  expect_input_error(norn({"manual", "--directory", "/dev/null/nowhere"}), "/dev/null/nowhere");
  expect_input_error(norn({"completion", "bash", "--output", "/dev/null/nowhere"}), "/dev/null/nowhere");
}

class BashCompletion : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(norn({"completion", "bash", "--output", scratch_.file("norn")}).exit_code, 0);
    scratch_.write("a file.cpp", "");
  }

  /// What bash offers for the last word, sorted.
  [[nodiscard]] Words completed(const Words& words) const {
    std::string list;
    for (const std::string& word : words) list += " '" + word + "'";
    scratch_.write("try", "source ./norn; COMP_WORDS=(norn" + list + "); COMP_CWORD=" + std::to_string(words.size()) +
                              "; _norn; printf '%s\\n' \"${COMPREPLY[@]}\" | sort");
    const Finished finished = shell("cd '" + scratch_.path() + "' && bash ./try");
    EXPECT_EQ(finished.error, "");
    return lines(finished.output);
  }

  Scratch scratch_;
};

TEST_F(BashCompletion, CompletesCommandsOptionsValuesAndFiles) {
  EXPECT_EQ(completed({"ch"}), Words{"check"});
  EXPECT_EQ(completed({"check", "--jun"}), Words{"--junit"});
  EXPECT_EQ(completed({"check", "--isolation", ""}), (Words{"fork", "none", "snapshot"}));
  EXPECT_EQ(completed({"check", "--isolation", "=", "f"}), Words{"fork"});
  EXPECT_EQ(completed({"check", "--isolation", "="}), (Words{"fork", "none", "snapshot"}));
  EXPECT_EQ(completed({"check", "a"}), Words{"a file.cpp"});
  EXPECT_EQ(completed({"check", "--json", "a"}), Words{"a file.cpp"});
  EXPECT_EQ(completed({"check", "--seed", ""}), Words{""}) << "a number is the user's own";
  EXPECT_EQ(completed({"replay", "--th"}), Words{"--threads"});
  EXPECT_EQ(completed({"check", "a file.cpp", "--", "--jun"}), Words{""}) << "these are options of the program";
  const Words strategies = completed({"check", "--strategy", ""});
  EXPECT_EQ(strategies.size(), lines(norn({"strategies"}).output).size());
}

TEST_F(BashCompletion, OffersEveryOption) {
  for (const std::string& command : commands())
    for (const std::string& option : completed({command, "--"}))
      EXPECT_TRUE(contains(norn({command, "--help"}).output, option)) << command << " " << option;
  EXPECT_GE(completed({"check", "--"}).size(), 40U);
}

TEST(Completion, IsReadByOtherShells) {
  const Scratch scratch;
  for (const std::string shell_name : {"zsh", "fish"}) {
    ASSERT_EQ(norn({"completion", shell_name, "--output", scratch.file(shell_name)}).exit_code, 0);
    EXPECT_TRUE(contains(read_file(scratch.file(shell_name)), "exhaustive"));
    if (!is_installed(shell_name)) continue;
    const Finished parsed = shell(shell_name + " -n '" + scratch.file(shell_name) + "'");
    EXPECT_EQ(parsed.exit_code, 0) << parsed.error;
    EXPECT_EQ(parsed.error, "");
  }
  expect_input_error(norn({"completion", "tcsh"}), "tcsh");
}

TEST(Completion, OffersOnlyWhatIsWanted) {
  const Scratch scratch;
  const std::string zsh = norn({"completion", "zsh"}).output;
  EXPECT_TRUE(contains(zsh, "_arguments -S")) << "what comes after -- is the program's";
  EXPECT_TRUE(contains(zsh, ":DIRECTORY:_directories")) << zsh;
  ASSERT_EQ(norn({"completion", "fish", "--output", scratch.file("norn.fish")}).exit_code, 0);
  if (!is_installed("fish")) GTEST_SKIP() << "fish is not installed";
  const auto completed = [&](const std::string& line) {
    return shell("cd '" + scratch.path() + "' && HOME=. fish -c 'source norn.fish; complete -C \"" + line + "\"'")
        .output;
  };
  EXPECT_EQ(completed("norn strategies "), "");
  EXPECT_TRUE(contains(completed("norn check "), "norn.fish")) << completed("norn check ");
}

}  // namespace
}  // namespace norn::test
