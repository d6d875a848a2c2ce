// The page that --html writes, and norn show. What the page does in a browser is tested in tests/html.

#include <gtest/gtest.h>

#include <filesystem>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json data_of(const std::string& file) {
  const std::string page = read_file(file);
  const std::string begin = R"(id="data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from), nullptr, false);
}

/// Checks failures.cpp with --html; the data of the page.
json page_of(const Scratch& scratch, const std::string& way, const Words& options = {}) {
  Words words = {"check",  program("failures.cpp"),  "--trace-dir", scratch.path(), "--quiet",
                 "--html", scratch.file("page.html")};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", way});
  EXPECT_EQ(norn(words).exit_code, 1) << way;
  return data_of(scratch.file("page.html"));
}

TEST(HtmlOption, WritesBugs) {
  const Scratch scratch;
  for (const char* const way : {"assertion", "deadlock", "exception", "crash", "exit", "abort", "wakeup", "timeout"}) {
    const json data = page_of(scratch, way);
    ASSERT_TRUE(data.is_object()) << way;
    EXPECT_EQ(data["verdict"], "bug") << way;
    ASSERT_EQ(data["bugs"].size(), 1U) << way;
    const json& bug = data["bugs"][0];
    EXPECT_NE(bug["summary"], "") << way;
    EXPECT_TRUE(contains(bug["command"], "norn replay ")) << way;
    EXPECT_GT(bug["runs"][0]["rows"].size(), 0U) << way;
    EXPECT_EQ(bug["runs"][0]["rows"].back()["marked"], true) << way;
  }
}

TEST(HtmlOption, WritesAllBugsOfAnExploration) {
  const Scratch scratch;
  const Finished finished = norn({"check", program("several_bugs.c"), "--keep-going", "--quiet", "--trace-dir",
                                  scratch.path(), "--html", scratch.file("page.html"), "--json", scratch.file("json")});
  EXPECT_EQ(finished.exit_code, 1) << finished.error;
  const json summary = json::parse(read_file(scratch.file("json")));
  const json data = data_of(scratch.file("page.html"));
  ASSERT_GT(summary["bugs"].size(), 1U);
  ASSERT_EQ(data["bugs"].size(), summary["bugs"].size());
  for (std::size_t i = 0; i < data["bugs"].size(); ++i)
    EXPECT_EQ(data["bugs"][i]["summary"], summary["bugs"][i]["summary"]);
  EXPECT_EQ(data["summary"]["executions"], summary["executions"]);
}

TEST(HtmlOption, ShowsARunThatPassesAndWhereTheyPart) {
  const Scratch scratch;
  const Finished finished = norn({"check", std::string(NORN_SOURCE_DIR) + "/examples/bank_transfer.cpp", "--quiet",
                                  "--trace-dir", scratch.path(), "--html", scratch.file("page.html")});
  EXPECT_EQ(finished.exit_code, 1) << finished.error;
  const json runs = data_of(scratch.file("page.html"))["bugs"][0]["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1]["name"], "Passing run");
  // One thread holds its first lock; then the other takes its own, or the first goes on.
  EXPECT_EQ(runs[0]["rows"][runs[1]["difference"]["failing"].get<std::size_t>()]["text"], "lock bob.mutex");
  EXPECT_EQ(runs[1]["rows"][runs[1]["difference"]["passing"].get<std::size_t>()]["text"], "lock bob.mutex");
  EXPECT_EQ(runs[1]["objects"], runs[0]["objects"]);
}

TEST(HtmlOption, WritesWhatPassesAndWhatIsIncomplete) {
  const Scratch scratch;
  const std::string page = scratch.file("page.html");
  EXPECT_EQ(norn({"check", program("locks.c"), "--quiet", "--html", page}).exit_code, 0);
  EXPECT_EQ(data_of(page)["verdict"], "pass");
  EXPECT_TRUE(data_of(page)["bugs"].empty());
  EXPECT_EQ(norn({"check", program("locks.c"), "--quiet", "--html", page, "--max-executions", "1"}).exit_code, 3);
  EXPECT_EQ(data_of(page)["verdict"], "incomplete");
  EXPECT_FALSE(data_of(page)["remarks"].empty());
}

TEST(HtmlOption, RefusesFilesThatCannotBeWrittenBeforeExploring) {
  expect_input_error(norn({"check", program("locks.c"), "--html", "/no/such/directory/page.html"}),
                     "/no/such/directory");
  expect_input_error(norn({"show", program("locks.c"), "--html", "/no/such/directory/page.html"}),
                     "/no/such/directory");
}

TEST(HtmlOption, TakesNamesOfProgramsForText) {
  const Scratch scratch;
  const std::string directory = scratch.file("x<");
  fs::create_directories(directory + "/script><img src=x onerror=alert(1)>");
  const std::string source = directory + "/script><img src=x onerror=alert(1)>/p.c";
  fs::copy(program("locks.c"), source);
  const Finished finished = norn({"check", source, "--quiet", "--html", scratch.file("page.html")});
  EXPECT_EQ(finished.exit_code, 0) << finished.error;
  EXPECT_EQ(data_of(scratch.file("page.html"))["title"], source);
  EXPECT_FALSE(contains(read_file(scratch.file("page.html")), "<img"));
}

TEST(Show, DrawsARecordedRun) {
  const Scratch scratch;
  const json checked = page_of(scratch, "wakeup");
  const Finished finished = norn({"show", scratch.file("failures-1.trace"), "--html", scratch.file("shown.html")});
  EXPECT_EQ(finished.exit_code, 0) << finished.error;
  EXPECT_TRUE(finished.output.starts_with("bug: assertion\n")) << finished.output;
  EXPECT_TRUE(contains(finished.output, "The run that shows it")) << finished.output;
  EXPECT_FALSE(contains(finished.output, "executions")) << finished.output;
  const json shown = data_of(scratch.file("shown.html"));
  EXPECT_EQ(shown["bugs"][0]["runs"][0]["rows"], checked["bugs"][0]["runs"][0]["rows"]);
  EXPECT_EQ(shown["bugs"][0]["summary"], checked["bugs"][0]["summary"]);
}

TEST(Show, DrawsTheRaceThatWasRecorded) {
  const Scratch scratch;
  const std::string source = scratch.write("races.cpp", R"(#include <thread>
int one, two;
int main() {
  std::thread other([] {
    one = 1;
    two = 1;
  });
  one = 2;
  two = 2;
  other.join();
}
)");
  const Finished checked =
      norn({"check", source, "--trace-dir", scratch.path(), "--keep-going", "--quiet", "--json", scratch.file("json")});
  EXPECT_EQ(checked.exit_code, 1) << checked.error;
  unsigned races = 0;
  const json summary = json::parse(read_file(scratch.file("json")));
  for (const json& bug : summary["bugs"]) {
    const Finished finished = norn({"show", bug["trace"], "--html", scratch.file("shown.html")});
    EXPECT_EQ(finished.exit_code, 0) << finished.error;
    EXPECT_EQ(data_of(scratch.file("shown.html"))["bugs"][0]["summary"], bug["summary"]);
    races += bug["kind"] == "data-race";
  }
  EXPECT_GT(races, 1U);
}

TEST(Show, WritesTheTextOrThePage) {
  const Scratch scratch;
  page_of(scratch, "assertion");
  const std::string trace = scratch.file("failures-1.trace");
  EXPECT_TRUE(norn({"show", trace}).output.starts_with("bug: assertion\n"));
  EXPECT_TRUE(norn({"show", trace, "--html", "-"}).output.starts_with("<!doctype html>"));
}

TEST(Show, SaysWhatIsWrongWithTraces) {
  expect_input_error(norn({"show", "/no/such/trace"}), "/no/such/trace");
  expect_input_error(norn({"show", program("locks.c")}), "not a valid trace");
  expect_input_error(norn({"show"}));
}

}  // namespace
}  // namespace norn::test
