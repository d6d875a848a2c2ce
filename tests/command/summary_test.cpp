// Exit codes, and the summary for other programs.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TEST(Summary, OfACorrectProgram) {
  // Two threads, two locks each: 4!/(2! 2!) runs of four events.
  const Checked checked = check(program("locks.c"), {"--strategy", "exhaustive"}, {"2", "2"});
  EXPECT_EQ(checked.finished.exit_code, 0);
  EXPECT_EQ(checked.finished.error, "");
  const json& summary = checked.summary;
  std::set<std::string> keys;
  for (const auto& [key, value] : summary.items()) keys.insert(key);
  for (const char* const key : {"norn",
                                "program",
                                "strategy",
                                "memory_model",
                                "verdict",
                                "complete",
                                "reasons",
                                "executions",
                                "partial_runs",
                                "distinct",
                                "deadlocks",
                                "events",
                                "threads_max",
                                "seconds",
                                "executions_per_second",
                                "peak_memory_bytes",
                                "bugs",
                                "coverage",
                                "inputs",
                                "unfolding"})
    EXPECT_TRUE(keys.contains(key)) << key;
  EXPECT_EQ("norn " + summary["norn"].get<std::string>() + "\n", norn({"--version"}).output);
  EXPECT_EQ(summary["program"], program("locks.c"));
  EXPECT_EQ(summary["strategy"], "exhaustive");
  EXPECT_EQ(summary["memory_model"], "sc");
  EXPECT_EQ(summary["verdict"], "pass");
  EXPECT_EQ(summary["complete"], true);
  EXPECT_EQ(summary["reasons"], json::array());
  EXPECT_EQ(summary["executions"], 6);
  EXPECT_EQ(summary["partial_runs"], 0);
  EXPECT_EQ(summary["distinct"], 6);
  EXPECT_EQ(summary["deadlocks"], 0);
  EXPECT_EQ(summary["events"], 24);
  EXPECT_EQ(summary["threads_max"], 3);
  EXPECT_GE(summary["seconds"].get<double>(), 0);
  EXPECT_GT(summary["executions_per_second"].get<double>(), 0);
  EXPECT_GT(summary["peak_memory_bytes"].get<double>(), 100'000);
  EXPECT_EQ(summary["bugs"], json::array());
  for (const char* const key : {"coverage", "inputs", "unfolding"}) EXPECT_TRUE(summary[key].is_object()) << key;
}

TEST(Summary, OfABug) {
  const Scratch scratch;
  const Finished finished = norn({"check", program("failures.cpp"), "--json", scratch.file("summary"), "--trace-dir",
                                  scratch.file("traces"), "--", "assertion"});
  EXPECT_EQ(finished.exit_code, 1);
  const json summary = json::parse(read_file(scratch.file("summary")));
  EXPECT_EQ(summary["verdict"], "bug");
  EXPECT_EQ(summary["complete"], false);
  ASSERT_EQ(summary["bugs"].size(), 1U);
  const json& bug = summary["bugs"][0];
  EXPECT_EQ(bug["kind"], "assertion");
  EXPECT_TRUE(contains(bug["message"], "seen == 0")) << bug;
  EXPECT_EQ(bug["thread"], "main/1");
  EXPECT_TRUE(std::regex_search(bug["location"].get<std::string>(), std::regex("failures\\.cpp:[0-9]+$"))) << bug;
  EXPECT_EQ(bug["count"], 1);
  EXPECT_TRUE(bug["preemptions"].is_number_unsigned());
  EXPECT_TRUE(fs::exists(bug["trace"].get<std::string>())) << bug;
  EXPECT_EQ(fs::path(bug["trace"].get<std::string>()).parent_path(), scratch.file("traces"));
  // And the same for a person.
  for (const char* const part : {"bug: assertion", "main/1", "store value <- 1", "load value = 1", "check_value",
                                 "this is assertion", "1 bug found"})
    EXPECT_TRUE(contains(finished.output, part)) << part << " is missing in\n" << finished.output;
  EXPECT_TRUE(contains(bug["summary"], "assertion `seen == 0` failed in thread main/1")) << bug;
  EXPECT_EQ(lines(finished.output).back(), "norn replay " + bug["trace"].get<std::string>());
}

TEST(Summary, NamesTheStrategyThatWasUsed) {
  const Checked by_itself = check(program("locks.c"));
  EXPECT_EQ(by_itself.summary["strategy"], "auto");
  EXPECT_EQ(by_itself.summary["strategy_used"], "dpor");
  EXPECT_TRUE(contains(by_itself.finished.output, "(strategy auto (dpor), ")) << by_itself.finished.output;
  const Checked shared = check(program("locks.c"), {"--jobs", "2"});
  EXPECT_EQ(shared.summary["strategy_used"], "dpor");
  // A program without Norn's constructs, whose first run ends everything.
  for (const char* const jobs : {"1", "2"})
    EXPECT_EQ(check(program("always_fails.c"), {"--jobs", jobs}).summary["strategy_used"], "dpor") << jobs;
  const Checked asked_for = check(program("locks.c"), {"--strategy", "exhaustive"});
  EXPECT_EQ(asked_for.summary["strategy_used"], "exhaustive");
  EXPECT_TRUE(contains(asked_for.finished.output, "(strategy exhaustive, ")) << asked_for.finished.output;
}

TEST(Summary, HasNoValuesOfWhatIsLargerThanANumber) {
  const Scratch scratch;
  const Checked checked = check(program("wide_counter.c"), {"--html", scratch.file("page.html")});
  EXPECT_EQ(checked.summary["bugs"][0]["kind"], "assertion");
  const std::string& text = checked.finished.output;
  EXPECT_TRUE(contains(text, "stored a value in count at line 10")) << text;
  for (const char* const line :
       {"load count  wide_counter.c:10", "store count  wide_counter.c:10", "update count  wide_counter.c:19"})
    EXPECT_TRUE(contains(text, line)) << line << " is missing in\n" << text;
  const std::string page = read_file(scratch.file("page.html"));
  EXPECT_TRUE(contains(page, "load count"));
  for (const char* const value : {"load count =", "store count <-", "\"read\":", "\"written\":"})
    EXPECT_FALSE(contains(page, value)) << value;
}

TEST(Summary, NamesTheObjectsOfThePrograms) {
  const Checked checked = check(program("failures.cpp"), {}, {"deadlock"});
  EXPECT_TRUE(contains(checked.finished.output, "other_mutex")) << checked.finished.output;
  // `i`, `b` and `m` are also how int, bool and unsigned long are abbreviated in mangled names.
  const Checked brief = check(program("short_names.c"));
  EXPECT_TRUE(std::regex_search(brief.finished.output, std::regex("store i <- 1 "))) << brief.finished.output;
  EXPECT_TRUE(std::regex_search(brief.finished.output, std::regex("lock m "))) << brief.finished.output;
}

TEST(Summary, IsAboutTheProgramAndNotAboutTheCLibrary) {
  // With debug information installed, that has lines, too.
  const Checked checked = check(program("copied.c"));
  EXPECT_EQ(checked.first_bug(), "memory") << checked.summary;
  EXPECT_TRUE(contains(checked.summary["bugs"][0]["summary"], "at copied.c:7 and then reads 1 byte of it at line 8"))
      << checked.summary;
  EXPECT_TRUE(contains(checked.summary["bugs"][0]["summary"], "allocated by thread main at line 6")) << checked.summary;
}

TEST(Summary, OnStandardOutputIsAloneThere) {
  const Scratch scratch;
  for (const char* const name : {"locks.c", "early_output.c", "several_bugs.c"}) {
    const Finished finished =
        norn({"check", program(name), "--json", "-", "--trace-dir", scratch.file("traces"), "--keep-going"});
    EXPECT_EQ(finished.exit_code, name == std::string("several_bugs.c") ? 1 : 0);
    const json summary = json::parse(finished.output, nullptr, false);
    EXPECT_TRUE(summary.is_object()) << finished.output;
  }
}

TEST(Summary, GoesToItsFileWhateverElseIsAsked) {
  const Scratch scratch;
  const Finished finished =
      norn({"check", program("locks.c"), "--quiet", "--json", scratch.file("s"), "--trace-dir", scratch.file("t")});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.output + finished.error, "");
  EXPECT_EQ(json::parse(read_file(scratch.file("s")))["verdict"], "pass");
  EXPECT_FALSE(fs::exists(scratch.file("t"))) << "there is nothing to put there";
}

}  // namespace
}  // namespace norn::test
