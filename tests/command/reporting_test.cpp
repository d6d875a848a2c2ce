// What norn check says to other programs: which reports there are, where they go, and that they do not get in each
// other's way. What is in them is tested in tests/unit/report and tests/interfaces.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

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

/// The run goes on after the race, and fails somewhere else.
TEST(Reporting, PutsARaceWhereItsSecondAccessIs) {
  const Scratch scratch;
  const Finished finished =
      norn({"check", program("racing_failure.c"), "--keep-going", "--json", scratch.file("summary"), "--sarif",
            scratch.file("sarif"), "--annotations", "--trace-dir", scratch.file("traces")});
  const json summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
  const json results = json::parse(read_file(scratch.file("sarif")), nullptr, false)["runs"][0]["results"];
  std::size_t races = 0;
  for (std::size_t i = 0; i < summary["bugs"].size(); ++i) {
    const json& bug = summary["bugs"][i];
    if (bug["kind"] != "data-race") continue;
    ++races;
    const json& second = bug["accesses"][1];
    EXPECT_EQ(bug["location"], second["location"]);
    EXPECT_EQ(bug["thread"], second["thread"]);
    const std::string location = second["location"];
    const int line = results[i]["locations"][0]["physicalLocation"]["region"]["startLine"];
    EXPECT_TRUE(location.ends_with(":" + std::to_string(line))) << location << " " << line;
    EXPECT_TRUE(contains(finished.output, "line=" + std::to_string(line) + ",title=Norn%3A data-race"));
    const Finished replayed = norn({"replay", bug["trace"]});
    EXPECT_TRUE(
        contains(replayed.output, "data-race in thread " + second["thread"].get<std::string>() + " at " + location))
        << replayed.output;
  }
  EXPECT_GT(races, 0U) << summary;
}

TEST(Reporting, KnowsTheLinesOfWhatIsNoEvent) {
  const Scratch scratch;
  const std::string source = scratch.write("p.c",
                                           "#include <assert.h>\n"
                                           "#include <pthread.h>\n"
                                           "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                                           "static void* work(void* argument) {\n"
                                           "  pthread_mutex_lock(&m);\n"
                                           "  pthread_mutex_unlock(&m);\n"
                                           "  return argument;\n"
                                           "}\n"
                                           "int main(void) {\n"
                                           "  pthread_t thread;\n"
                                           "  pthread_create(&thread, 0, work, 0);\n"
                                           "  pthread_join(thread, 0);\n"
                                           "  assert(thread == 0);\n"
                                           "}\n");
  norn({"check", source, "--sarif", scratch.file("sarif"), "--trace-dir", scratch.file("traces")});
  const json log = json::parse(read_file(scratch.file("sarif")), nullptr, false);
  std::map<std::string, int> lines;
  for (const json& thread : log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"])
    for (const json& step : thread["locations"])
      lines[step["location"]["message"]["text"]] = step["location"]["physicalLocation"]["region"]["startLine"];
  EXPECT_EQ(lines["starts main/1"], 11) << log;
  EXPECT_EQ(lines["lock m"], 5) << log;
  EXPECT_EQ(lines["unlock m"], 6) << log;
  EXPECT_EQ(lines["joins main/1"], 12) << log;
}

}  // namespace
}  // namespace norn::test
