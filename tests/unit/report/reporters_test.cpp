// What each reporter writes about the same explorations. The approved files are in approved/NAME; after a change that
// is meant,
//
//   NORN_APPROVE=1 build/release/bin/norn_unit_tests --gtest_filter='*Reporter*'
//
// writes them anew, and the difference is for review. How text reads is in text_test.cpp; whether others can read what
// is meant for them is tested in tests/interfaces.

#include "report/reporter.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "approved.hpp"
#include "report/kinds.hpp"
#include "report/source_root.hpp"
#include "scenarios.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

ReportedExploration exploration() {
  using namespace std::chrono;
  return {"queue_test.cpp",
          {"norn", "check", "queue_test.cpp", "--junit", "a file.xml"},
          "/home/someone/project/tests",
          "/home/someone/project",
          sys_days(2026y / January / 2) + 3h + 4min + 5s};
}

const ReporterInfo& info(const std::string& name) {
  for (const ReporterInfo& reporter : reporters())
    if (reporter.name == name) return reporter;
  throw std::invalid_argument(name);
}

std::string written_by(const std::string& name, const Report& report) {
  std::string written;
  Reporters list;
  list.add(info(name).make([&](const std::string& text) { written += text; }, {}));
  list.started(exploration());
  list.ended(report);
  return written;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// Without what depends on the machine and the version. Of a page only the data matters: the rest is the same for all.
std::string normalised(const std::string& name, std::string text) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  replace_all(text, std::string("hostname=\"") + host + "\"", "hostname=\"HOST\"");
  replace_all(text, "\"" NORN_VERSION "\"", "\"VERSION\"");
  if (name != "html") return text;
  const std::string begin = R"(id="data">)";
  const std::size_t from = text.find(begin) + begin.size();
  return json::parse(text.substr(from, text.find("</script>", from) - from)).dump(2) + "\n";
}

const std::vector<std::string> names = {"json", "junit", "sarif", "html", "annotations"};

class Reporter : public testing::TestWithParam<std::string> {};

TEST_P(Reporter, WritesWhatIsApproved) {
  const std::string name = GetParam();
  const std::string ending = name == "junit" ? "xml" : name == "annotations" ? "txt" : "json";
  const std::map<std::string, Report> all = scenarios();
  for (const std::string scenario :
       {"assertion", "crash", "deadlock_of_2_threads", "exception", "hostile", "incomplete", "livelock", "lock_order",
        "lost_wakeup", "minimised", "misuse", "pass", "race_with_locks", "several_bugs", "race_that_is_only_reported",
        "use_after_free"})
    expect_approved(name + "/" + scenario + "." + ending, normalised(name, written_by(name, all.at(scenario))));
}

INSTANTIATE_TEST_SUITE_P(Approved, Reporter, testing::ValuesIn(names), [](const auto& test) { return test.param; });

TEST(Reporters, AreAllApproved) {
  for (const ReporterInfo& reporter : reporters())
    EXPECT_TRUE(reporter.name == "text" || std::find(names.begin(), names.end(), reporter.name) != names.end())
        << reporter.name;
}

TEST(Reporters, AreToldEverythingInOrder) {
  struct Listener : norn::Reporter {
    explicit Listener(std::string& heard) : heard_(heard) {}
    void exploration_started(const ReportedExploration& which) override { heard_ += "started " + which.program + "\n"; }
    void bug_found(const ReportedBug& bug) override { heard_ += bug.kind + "\n"; }
    void race_found(const ReportedBug& race) override { heard_ += "race of " + race.accesses[0].object + "\n"; }
    void warning_found(const ReportedWarning& warning) override { heard_ += warning.kind + "\n"; }
    void exploration_ended(const Report& report) override { heard_ += "ended: " + report.verdict() + "\n"; }
    std::string& heard_;
  };
  Report report = scenarios().at("several_bugs");
  report.races = scenarios().at("race_that_is_only_reported").races;
  report.warnings = scenarios().at("lock_order").warnings;
  std::string heard[2];
  Reporters list;
  for (std::string& each : heard) list.add(std::make_unique<Listener>(each));
  list.started(exploration());
  list.ended(report);
  for (const std::string& each : heard)
    EXPECT_EQ(each, "started queue_test.cpp\ncrash\ndeadlock\nrace of counter\nlock-order\nended: bug\n");
}

/// Every report of every scenario, whatever a program is called and prints.
TEST(Reporters, WriteNoControlCharacters) {
  for (const auto& [scenario, report] : scenarios())
    for (const char* const name : {"json", "junit", "sarif", "annotations"})
      for (const unsigned char c : written_by(name, report))
        ASSERT_TRUE(c >= ' ' || c == '\n') << scenario << " " << name << " " << static_cast<int>(c);
}

TEST(Junit, LeavesOutWhatXmlForbids) {
  Report report = scenarios().at("assertion");
  report.program = "a&b<c>\"d\"\xef\xbf\xbe.cpp";
  report.bugs[0].message = "]]> \x01 \xff <failure> \xed\xa0\x80";
  const std::string text = written_by("junit", report);
  EXPECT_NE(text.find("name=\"a&amp;b&lt;c&gt;&quot;d&quot;\xef\xbf\xbd.cpp\""), std::string::npos) << text;
  EXPECT_EQ(text.find("]]>"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x01'), std::string::npos) << text;
  EXPECT_EQ(text.find('\xff'), std::string::npos) << text;
}

TEST(Sarif, ShowsTheRunAsOneFlowForEveryThread) {
  const json log = json::parse(written_by("sarif", scenarios().at("deadlock_of_3_threads")));
  const json result = log["runs"][0]["results"][0];
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "deadlock");
  std::set<std::string> threads;
  std::set<int> orders;
  std::size_t steps = 0;
  for (const json& flow : result["codeFlows"][0]["threadFlows"]) {
    threads.insert(flow["id"]);
    int last = 0;
    for (const json& step : flow["locations"]) {
      EXPECT_GT(step["executionOrder"], last) << "a thread goes on in the order of time";
      last = step["executionOrder"];
      orders.insert(last);
      ++steps;
    }
  }
  EXPECT_EQ(threads, (std::set<std::string>{"main", "main/1", "main/2", "main/3"}));
  EXPECT_EQ(orders.size(), steps) << "no two steps are at the same time";
}

TEST(Sarif, LeavesOutTheBeginningOfALongRun) {
  const json log = json::parse(written_by("sarif", scenarios().at("long_run")));
  const json flow = log["runs"][0]["results"][0]["codeFlows"][0];
  std::size_t steps = 0;
  for (const json& thread : flow["threadFlows"]) steps += thread["locations"].size();
  EXPECT_GE(steps, 1000U);
  EXPECT_LE(steps, 1010U);
  EXPECT_NE(flow["message"]["text"].get<std::string>().find("left out"), std::string::npos);
}

TEST(Sarif, ClaimsNoPlaceThatIsNotKnown) {
  Report report = scenarios().at("race_with_locks");
  ReportedLink unlock{"released", report.bugs[0].events.size(), "main", "", "m"};
  unlock.address = 7;
  report.bugs[0].links = {unlock};
  report.bugs[0].accesses.clear();
  const json log = json::parse(written_by("sarif", report));
  std::size_t unlocks = 0;
  for (const json& thread : log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"])
    for (const json& step : thread["locations"]) {
      if (step["location"]["message"]["text"] != "unlock m") continue;
      ++unlocks;
      EXPECT_FALSE(step["location"].contains("physicalLocation")) << step;
    }
  EXPECT_EQ(unlocks, 1U);
}

TEST(Sarif, MessagesAreShownAsTheyAre) {
  Report report = scenarios().at("assertion");
  report.bugs[0].message = "table[3] {0} [here](1)";
  const json log = json::parse(written_by("sarif", report));
  const std::string message = log["runs"][0]["results"][0]["message"]["text"];
  EXPECT_NE(message.find("able[3] {{0}} [here\\](1)"), std::string::npos) << message;
}

TEST(Sarif, RecognisesABugWhenLinesMove) {
  const auto print = [](const Report& report) {
    return json::parse(written_by("sarif", report))["runs"][0]["results"][0]["partialFingerprints"];
  };
  std::set<json> prints;
  const std::vector<std::string> different = {"assertion", "crash", "race_with_locks", "lost_wakeup", "use_after_free"};
  for (const std::string& scenario : different) {
    Report report = scenarios().at(scenario);
    const json before = print(report);
    prints.insert(before);
    report.bugs[0].place.line += 7;
    for (ReportedAccess& access : report.bugs[0].accesses) access.when.place.line += 7;
    for (ReportedWait& wait : report.bugs[0].waits) wait.place.line += 7;
    EXPECT_EQ(print(report), before) << scenario;
  }
  EXPECT_EQ(prints.size(), different.size());
}

TEST(Annotations, AreOneLineEach) {
  for (const auto& [scenario, report] : scenarios()) {
    std::istringstream lines(written_by("annotations", report));
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::warning ")) << scenario << ": " << line;
  }
}

TEST(SourceRoot, NamesFilesAsReadersSeeThem) {
  const SourceRoot root(exploration());
  EXPECT_EQ(root.name("queue_test.cpp"), "tests/queue_test.cpp");
  EXPECT_EQ(root.name("../src/queue.hpp"), "src/queue.hpp");
  EXPECT_EQ(root.name("/home/someone/project/a.cpp"), "a.cpp");
  EXPECT_EQ(root.name("/home/someone/projector/a.cpp"), "/home/someone/projector/a.cpp");
  EXPECT_EQ(root.uri("a b%.cpp"), "tests/a%20b%25.cpp");
  EXPECT_EQ(root.uri("/usr/include/c++/12/mutex"), "file:///usr/include/c%2B%2B/12/mutex");
  EXPECT_EQ(root.uri(), "file:///home/someone/project/");
}

TEST(Kinds, AreKnownByTheirNames) {
  EXPECT_EQ(kinds()[number_of_kind("data-race")].name, "data-race");
  EXPECT_EQ(kinds()[number_of_kind("something new")].name, "other");
}

}  // namespace
}  // namespace norn::test
