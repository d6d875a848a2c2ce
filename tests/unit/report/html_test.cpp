// The page of the HTML report: what it is told, and that nothing in it can be more than text. What it looks like is
// tested with a browser, in tests/html.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/html.hpp"
#include "report/sequences.hpp"
#include "report/timeline.hpp"
#include "scenarios.hpp"

namespace norn::test {
namespace {

using nlohmann::json;

constexpr const char* harm = "</script><img src=x onerror=alert(1)><!--";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

json data_of(const std::string& page) {
  const std::string begin = R"(id="data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

ReportedEvent event(const std::string& thread, const std::string& operation, const std::string& object,
                    std::uint64_t address, const std::string& value = "", bool reads = false) {
  return {thread, operation, "-", object, {"a.cpp", 3, "f()"}, address, value, reads, false, ""};
}

/// main starts main/1; both lock m, one after the other; main reads what main/1 wrote.
ReportedBug two_threads() {
  ReportedBug bug;
  bug.kind = "assertion";
  bug.message = "assertion `ready` failed";
  bug.thread = "main";
  bug.events = {event("main/1", "mutex.lock", "m", 1), event("main/1", "atomic.store", "flag", 2, "7"),
                event("main", "mutex.lock", "m", 1), event("main", "atomic.load", "flag", 2, "7", true)};
  bug.links = {{"created", 0, "main", "main/1", "", 0}, {"released", 2, "main/1", "", "m", 1}};
  return bug;
}

std::vector<std::string> texts(const Timeline& timeline) {
  std::vector<std::string> list;
  for (const TimelineRow& row : timeline.rows) list.push_back(row.thread + ": " + row.text);
  return list;
}

TEST(Timeline, ShowsWhatIsNoEvent) {
  EXPECT_THAT(
      texts(timeline_of(two_threads())),
      testing::ElementsAre("main: starts main/1", "main/1: lock m", "main/1: store flag <- 7", "main/1: unlock m",
                           "main: lock m", "main: load flag = 7", "main: assertion `ready` failed"));
}

TEST(Timeline, GoesOnToTheEndOfARunThatPasses) {
  ReportedBug run = two_threads();
  run.kind = "finished";
  run.links.push_back({"released", 4, "main", "", "m", 1});
  run.links.push_back({"joined", 4, "main", "main/1", "", 0});
  const Timeline timeline = timeline_of(run);
  EXPECT_EQ(texts(timeline).back(), "main: joins main/1");
  EXPECT_EQ(timeline.arrows.back().kind, "join");
  EXPECT_EQ(timeline.rows.size(), 8U);
}

/// main starts two threads, which race, and joins them: not one event.
TEST(Timeline, HasAccessesWhereTheyHappenedAmongLinks) {
  ReportedBug race;
  race.kind = "data-race";
  race.links = {{"created", 0, "main", "main/1", "", 0, 0, {"a.cpp", 8, "main"}},
                {"created", 0, "main", "main/2", "", 0, 1, {"a.cpp", 9, "main"}},
                {"joined", 0, "main", "main/1", "", 0, 2},
                {"joined", 0, "main", "main/2", "", 0, 4}};
  const auto access = [](const char* thread, const char* action, std::size_t links) {
    return ReportedAccess{{thread, 0, {}, {}, links}, action, "all", "all", 1, 8, {}};
  };
  race.accesses = {access("main/1", "writes", 2), access("main/2", "reads", 3)};
  const Timeline timeline = timeline_of(race);
  EXPECT_THAT(texts(timeline), testing::ElementsAre("main: starts main/1", "main: starts main/2", "main/1: writes all",
                                                    "main: joins main/1", "main/2: reads all", "main: joins main/2"));
  EXPECT_EQ(timeline.rows[1].place.line, 9);
}

TEST(Timeline, SaysAllOfAFailure) {
  ReportedBug bug = two_threads();
  bug.message = "assertion `a_name + another_name == sum` failed";
  EXPECT_EQ(texts(timeline_of(bug)).back(), "main: " + bug.message);
  EXPECT_EQ(timeline_of(bug).rows.back().kind, "failure");
}

TEST(Timeline, SaysWhoseMessageIsReceived) {
  ReportedBug run;
  run.kind = "finished";
  run.events = {event("main", "receive", "inbox", 5)};
  run.events[0].alternative = "main/2";
  run.links = {{"sent", 0, "main/1", "", "inbox", 5}, {"sent", 0, "main/2", "", "inbox", 5}};
  const Timeline timeline = timeline_of(run);
  EXPECT_EQ(texts(timeline).back(), "main: receive inbox: from main/2");
  ASSERT_EQ(timeline.arrows.size(), 1U);
  EXPECT_EQ(timeline.arrows[0].from, 1U);
}

TEST(Timeline, KnowsWhatHappenedBecauseOfWhat) {
  std::vector<std::string> arrows;
  for (const TimelineArrow& arrow : timeline_of(two_threads()).arrows)
    arrows.push_back(fmt::format("{} {}-{}", arrow.kind, arrow.from, arrow.to));
  EXPECT_THAT(arrows, testing::ElementsAre("create 0-1", "value 2-5", "lock 3-4"));
}

TEST(Timeline, KnowsWhichLocksAreHeld) {
  std::vector<std::size_t> held;
  for (const TimelineRow& row : timeline_of(two_threads()).rows) held.push_back(row.locks.size());
  EXPECT_THAT(held, testing::ElementsAre(0, 1, 1, 0, 1, 1, 1));
}

TEST(Timeline, DrawsTheRingOfADeadlock) {
  const Timeline timeline = timeline_of(ring(5));
  EXPECT_EQ(std::count_if(timeline.arrows.begin(), timeline.arrows.end(), [](auto& a) { return a.kind == "held"; }), 5);
}

TEST(Html, AThreadThatDoesNothingHasAColumn) {
  ReportedBug bug = two_threads();
  bug.links.insert(bug.links.begin() + 1, {"created", 0, "main", "main/2", "", 0});
  const json run = data_of(to_html(report_of(bug)))["bugs"][0]["runs"][0];
  EXPECT_EQ(run["threads"], (json{"main", "main/1", "main/2"}));
  EXPECT_EQ(run["rows"][0]["starts"], 1);
  EXPECT_EQ(run["rows"][1]["starts"], 2);
}

TEST(Html, HasEveryEvent) {
  const json run = data_of(to_html(report_of(two_threads())))["bugs"][0]["runs"][0];
  EXPECT_EQ(run["threads"], (json{"main", "main/1"}));
  EXPECT_EQ(run["rows"].size(), 7U);
  EXPECT_EQ(run["rows"][2]["written"], "7");
  EXPECT_EQ(run["rows"][5]["read"], "7");
  EXPECT_EQ(run["rows"][5]["event"], 4);
  EXPECT_EQ(run["rows"][6]["marked"], true);
}

TEST(Html, HasTheFactsOfTheSummary) {
  Report report;
  report.program = "queue.cpp";
  report.complete = true;
  report.executions = 12;
  report.assumptions = {"no data races: they were not looked for"};
  const json data = data_of(to_html(report));
  EXPECT_EQ(data["verdict"], "pass");
  EXPECT_EQ(data["headline"], "Every one of 12 executions is correct");
  EXPECT_EQ(data["remarks"][0], "(as long as there are no data races: they were not looked for)");
  EXPECT_EQ(data["summary"]["executions"], 12);
  EXPECT_TRUE(data["bugs"].empty());
}

TEST(Html, SaysWhereAPassingRunParts) {
  ReportedBug bug = two_threads();
  bug.passing.push_back(bug);
  bug.passing[0].kind = "finished";
  std::swap(bug.passing[0].events[2], bug.passing[0].events[0]);
  const json runs = data_of(to_html(report_of(bug)))["bugs"][0]["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1]["difference"]["failing"], 1);
  EXPECT_THAT(runs[1]["difference"]["text"].get<std::string>(), testing::HasSubstr("main/1 goes on"));
}

TEST(Html, IsMadeOfEveryKindOfReport) {
  for (const auto& [name, report] : scenarios()) {
    const json data = data_of(to_html(report));
    EXPECT_EQ(data["verdict"], report.verdict()) << name;
    for (const json& bug : data["bugs"])
      for (const json& run : bug["runs"])
        for (const json& arrow : run["arrows"]) {
          EXPECT_LT(arrow[0], run["rows"].size()) << name;
          EXPECT_LT(arrow[1], run["rows"].size()) << name;
        }
  }
}

TEST(Html, TakesNamesForText) {
  ReportedBug bug = two_threads();
  bug.message = bug.output = bug.thread = harm;
  bug.place = {harm, 1, harm};
  bug.stack = {bug.place};
  bug.legend = {{harm, harm}};
  for (ReportedEvent& each : bug.events) {
    each.thread = each.object = each.value = harm;
    each.place = bug.place;
  }
  Report report = report_of(bug);
  report.program = harm;
  report.reasons = report.assumptions = {harm};
  const std::string empty = to_html(Report());
  for (const std::string& page : {to_html(report), to_html(harm, bug)}) {
    EXPECT_EQ(count(page, "</script"), count(empty, "</script"));
    EXPECT_EQ(count(page, "<img"), 0U);
    EXPECT_EQ(count(page, "<!--"), 0U);
    EXPECT_EQ(data_of(page)["bugs"][0]["runs"][0]["rows"][1]["text"].get<std::string>().find(harm), 5U);
  }
}

TEST(Html, NeedsNoNetwork) {
  const std::string page = to_html(Report());
  EXPECT_EQ(count(page, "@DATA@") + count(page, "@STYLE@") + count(page, "@SCRIPT@"), 0U);
  for (const char* const part : {"src=", "@import", "url(", "fetch(", "innerHTML", "outerHTML", "document.write"})
    EXPECT_EQ(count(page, part), 0U) << part;
}

json part(const std::string& kind, const std::string& thread, const std::string& operation, unsigned number,
          const std::string& alternative = "-") {
  return {{"kind", kind},
          {"thread", thread},
          {"operation", operation},
          {"alternative", alternative},
          {"object", 0x1000},
          {"number", number},
          {"site", 0}};
}

TEST(Sequences, HaveTheirEventsInWords) {
  const json sent = {{"parts",
                      {part("on-object", "", "none", 10), part("on-thread", "main/1", "receive", 2),
                       part("on-thread", "main/1", "atomic.load", 0), part("call", "main/2", "mutex.lock", 0),
                       part("call", "main/2", "condition.signal", 0, "main/1"), part("message", "main/3", "send", 1),
                       part("state", "", "atomic.load", 0), part("state", "main/2", "atomic.load", 22)}}};
  Names names(json::array());
  const json named = named_sequences(sent, names, json::array());
  std::vector<std::string> texts;
  for (const json& one : named.at("parts")) texts.push_back(one.at("text"));
  EXPECT_THAT(
      texts, testing::ElementsAre("11th event on #1", "main/1, 3rd event: receive", "main/1, 1st event: load #1",
                                  "main/2: lock #1", "main/2: notify_one #1: wakes main/1", "main/3: 2nd message to #1",
                                  "#1 as it is at first", "#1 after its 22nd change, by main/2"));
}

TEST(Sequences, AreNotThereIfTheStrategyHasNone) {
  Names names(json::array());
  EXPECT_TRUE(named_sequences(nullptr, names, json::array()).is_null());
  EXPECT_EQ(named_sequences({{"left_out", "of this"}}, names, json::array()), json({{"left_out", "of this"}}));
}

}  // namespace
}  // namespace norn::test
