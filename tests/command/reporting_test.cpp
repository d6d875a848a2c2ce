// What norn check says to other programs: which reports there are, where they go, and that they do not get in each
// other's way. What is in them is tested in tests/unit/report and tests/interfaces.

#include <gtest/gtest.h>

#include <filesystem>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Words check_of(const std::string& name, const Words& options) {
  Words words = {"check", program(name), "--trace-dir", "/dev/null/nowhere"};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

TEST(Reporting, WritesSeveralFilesAtOnce) {
  const Scratch scratch;
  const Finished finished =
      norn({"check", program("locks.c"), "--quiet", "--json", scratch.file("json"), "--junit", scratch.file("junit"),
            "--sarif", scratch.file("sarif"), "--html", scratch.file("html")});
  EXPECT_EQ(finished.exit_code, 0) << finished.error;
  EXPECT_EQ(finished.output, "");
  EXPECT_EQ(json::parse(read_file(scratch.file("json")))["verdict"], "pass");
  EXPECT_EQ(json::parse(read_file(scratch.file("sarif")))["runs"][0]["results"], json::array());
  EXPECT_TRUE(contains(read_file(scratch.file("junit")), R"(tests="1" failures="0" errors="0")"));
  EXPECT_TRUE(read_file(scratch.file("html")).starts_with("<!doctype html>"));
}

TEST(Reporting, OnStandardOutputIsAlone) {
  const Finished junit = norn(check_of("locks.c", {"--junit", "-"}));
  EXPECT_TRUE(junit.output.starts_with("<?xml ")) << junit.output;
  EXPECT_TRUE(junit.output.ends_with("</testsuites>\n")) << junit.output;
  EXPECT_TRUE(json::accept(norn(check_of("locks.c", {"--sarif", "-"})).output));
  expect_input_error(norn(check_of("locks.c", {"--sarif", "-", "--json", "-"})), "only one report");
}

TEST(Reporting, SaysHowTheExplorationWasStarted) {
  const json log = json::parse(norn(check_of("several_bugs.c", {"--sarif", "-", "--keep-going"})).output);
  const json invocation = log["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["exitCode"], 1);
  EXPECT_TRUE(
      contains(invocation["commandLine"], "several_bugs.c --trace-dir /dev/null/nowhere --sarif - --keep-going"))
      << invocation;
  EXPECT_EQ(invocation["workingDirectory"]["uri"], "file://" + fs::current_path().string() + "/");
}

TEST(Annotations, ArePrintedInGitHubActionsOrIfWanted) {
  const Words words = check_of("several_bugs.c", {});
  EXPECT_FALSE(contains(norn(words).output, "::error"));
  for (const auto& [options, environment] : std::vector<std::pair<Words, std::map<std::string, std::string>>>{
           {{}, {{"GITHUB_ACTIONS", "true"}}}, {{"--annotations"}, {}}, {{"--annotations", "--quiet"}, {}}}) {
    const Finished finished = norn(check_of("several_bugs.c", options), environment);
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_TRUE(contains("\n" + finished.output, "\n::error file=")) << finished.output;
  }
  EXPECT_EQ(norn(check_of("several_bugs.c", {"--quiet"}), {{"GITHUB_ACTIONS", "true"}}).output, "");
}

TEST(Annotations, LeaveOtherReportsAlone) {
  const Finished finished = norn(check_of("several_bugs.c", {"--json", "-"}), {{"GITHUB_ACTIONS", "true"}});
  EXPECT_TRUE(json::accept(finished.output)) << finished.output;
  EXPECT_TRUE(contains(finished.error, "::error file=")) << finished.error;
}

TEST(Annotations, NameFilesFromTheWorkspaceOn) {
  const std::string directory = fs::path(NORN_PROGRAMS).parent_path();
  const Finished finished = norn(check_of("several_bugs.c", {"--annotations"}), {{"GITHUB_WORKSPACE", directory}});
  EXPECT_TRUE(contains(finished.output, "::error file=programs/several_bugs.c,line=")) << finished.output;
}

TEST(Annotations, SayThatAnExplorationIsNotComplete) {
  const Finished finished = norn(check_of("locks.c", {"--annotations", "--max-executions", "1"}));
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_TRUE(contains(finished.output, "::warning title=Norn%3A incomplete::")) << finished.output;
}

}  // namespace
}  // namespace norn::test
