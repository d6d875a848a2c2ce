// Classic concurrent programs, and clients of libraries as their users write them. Each says in its head comment what
// norn check makes of it (see expectation.hpp), and that does not depend on how it is compiled and run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "expectation.hpp"
#include "totals.hpp"

namespace norn::test {
namespace {

/// A way to compile and to run programs.
struct Way {
  std::string compiler;
  std::vector<std::string> options;
  bool is_slow = false;  ///< not for programs with very many interleavings
};

const Way gcc{"gcc", {}};
const Way clang{"clang", {}, true};
const Way os_threads{"gcc", {"--threads", "os"}, true};
const Way processes{"gcc", {"--isolation", "fork"}, true};

struct Program {
  std::string source;  ///< below this directory
  Way way;
};

void PrintTo(const Program& program, std::ostream* stream) {
  *stream << program.source << " " << program.way.compiler;
  for (const std::string& option : program.way.options) *stream << " " << option;
}

Expectation expectation_of(const std::string& source) { return read_expectation(PROGRAM_SOURCES "/" + source); }

std::vector<std::string> sources() {
  std::vector<std::string> all = sources_in(PROGRAM_SOURCES);
  for (const std::string& client : sources_in(PROGRAM_SOURCES "/libraries")) all.push_back("libraries/" + client);
  std::erase(all, "programs_test.cpp");
  return all;
}

std::vector<Program> programs(const Way& way) {
  std::vector<Program> chosen;
  for (const std::string& source : sources())
    if (!way.is_slow || !expectation_of(source).slow) chosen.push_back({source, way});
  return chosen;
}

/// Where the build puts the executable.
std::string executable(const Program& program) {
  const std::filesystem::path source = program.source;
  return PROGRAM_EXECUTABLES "/" + program.way.compiler + "/" + source.stem().string();
}

class Programs : public testing::TestWithParam<Program> {};

TEST_P(Programs, HaveTheirVerdict) {
  const Program& program = GetParam();
  const Expectation expected = expectation_of(program.source);
  ASSERT_TRUE(expected.verdict == "pass" || expected.verdict == "bug")
      << program.source << " does not say what is expected of it: `norn: pass` or `norn: bug KIND`";
  if (!std::filesystem::exists(executable(program)))
    GTEST_SKIP() << "not built: " << program.way.compiler << " or a library is not installed";

  std::vector<std::string> options = program.way.options;
  options.insert(options.end(), expected.options.begin(), expected.options.end());
  EXPECT_EQ(difference(expected, check_totals(executable(program), options)), "");
}

std::string name_of(const testing::TestParamInfo<Program>& info) {
  return test_name(std::filesystem::path(info.param.source).filename());
}

/// What norn check says of the bug it finds first: everything above the line with the numbers. Names of files begin at
/// the directory of the sources, wherever that is.
std::string explanation(const Program& program, const std::vector<std::string>& options, const Scratch& scratch) {
  std::vector<std::string> command = {
      "sh", "-c", "cd \"$0\" && exec \"$@\"", PROGRAM_SOURCES, norn_bin() + "/norn", "check", executable(program)};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--trace-dir", scratch.path()});
  std::string text = run(command).output;
  text.resize(text.find("\n" + executable(program)) + 1);
  const std::string checkout = std::filesystem::path(PROGRAM_SOURCES).parent_path().parent_path().string() + "/";
  for (std::size_t at = 0; (at = text.find(checkout + "shadow/", at)) != std::string::npos;)
    text.erase(at, checkout.size());
  return text;
}

class Explanations : public testing::TestWithParam<Program> {};

/// If this is how it should be: NORN_APPROVE=1 build/release/bin/norn_program_tests --gtest_filter='*Explanations*'
TEST_P(Explanations, AreApproved) {
  const Program& program = GetParam();
  if (!std::filesystem::exists(executable(program))) GTEST_SKIP() << "not built: a library is not installed";
  const Scratch scratch;
  const std::string text = explanation(program, expectation_of(program.source).options, scratch);
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
    const Finished replayed = run({norn_bin() + "/norn", "replay", entry.path()});
    EXPECT_EQ(replayed.exit_code, 1) << replayed.error;
  }
  const std::string file =
      PROGRAM_SOURCES "/approved/" + std::filesystem::path(program.source).stem().string() + ".txt";
  if (std::getenv("NORN_APPROVE") != nullptr) std::ofstream(file) << text;
  ASSERT_TRUE(std::filesystem::exists(file)) << "nobody has approved it yet:\n" << text;
  EXPECT_EQ(text, read_file(file));
}

std::vector<Program> buggy_programs() {
  std::vector<Program> buggy = programs(gcc);
  std::erase_if(buggy, [](const Program& program) { return expectation_of(program.source).verdict != "bug"; });
  return buggy;
}

INSTANTIATE_TEST_SUITE_P(Gcc, Explanations, testing::ValuesIn(buggy_programs()), name_of);
INSTANTIATE_TEST_SUITE_P(Gcc, Programs, testing::ValuesIn(programs(gcc)), name_of);
INSTANTIATE_TEST_SUITE_P(Clang, Programs, testing::ValuesIn(programs(clang)), name_of);
INSTANTIATE_TEST_SUITE_P(OsThreads, Programs, testing::ValuesIn(programs(os_threads)), name_of);
INSTANTIATE_TEST_SUITE_P(Fork, Programs, testing::ValuesIn(programs(processes)), name_of);

TEST(ProgramsAsAWhole, CoverEveryKindOfBug) {
  std::size_t correct = 0;
  std::vector<std::string> kinds;
  for (const std::string& source : sources()) {
    const Expectation expected = expectation_of(source);
    correct += expected.verdict == "pass";
    kinds.insert(kinds.end(), expected.kinds.begin(), expected.kinds.end());
  }
  EXPECT_GE(correct, 18U);
  for (const char* kind :
       {"assertion", "deadlock", "data-race", "memory", "crash", "exception", "livelock", "misuse", "exit", "abort"})
    EXPECT_NE(std::find(kinds.begin(), kinds.end(), kind), kinds.end()) << kind;
}

}  // namespace
}  // namespace norn::test
