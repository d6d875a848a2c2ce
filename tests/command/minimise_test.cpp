// Schedules of bugs are minimised before they are shown: to the fewest preemptions that the bugs need, whatever
// strategy found them and however they are run.

#include <gtest/gtest.h>

#include <chrono>
#include <regex>
#include <thread>

#include "command.hpp"

namespace norn::test {
namespace {

using nlohmann::json;

std::string example(const std::string& name) { return std::string(NORN_SOURCE_DIR "/examples/") + name; }

/// The first bug that was found, or null.
json first_bug(const Checked& checked) {
  EXPECT_EQ(checked.finished.exit_code, 1) << checked.finished.output << checked.finished.error;
  return checked.summary.contains("bugs") && !checked.summary["bugs"].empty() ? checked.summary["bugs"][0] : json();
}

struct Known {
  std::string name;
  int preemptions;
};

const std::vector<Known> known = {
    {"bank_transfer.cpp", 1},              // between a thread's two locks
    {"bounded_queue_lost_wakeup.cpp", 0},  // it depends only on whom a notification wakes
    {"free_list.cpp", 1},                  // between the look at the first slot and the compare-exchange
    {"hit_counter.cpp", 1},                // between load and store
    {"mailbox.c", 1},                      // between the signal and the lock that the woken reader needs
    {"shared_cache.cpp", 1},               // between the look and the insertion
    {"thread_pool_shutdown.cpp", 2},       // the destructor before it sets its flag, the worker before it waits
    {"ticket_sale.cpp", 1},                // between check and sale
};

TEST(Minimised, ExamplesNeedWhatTheyAreKnownToNeed) {
  std::size_t simplified = 0;
  for (const Known& one : known)
    for (const char* const seed : {"1", "2", "3", "4", "5"}) {
      const json bug = first_bug(check(example(one.name), {"--strategy", "random", "--seed", seed}));
      ASSERT_TRUE(bug.is_object()) << one.name << " with seed " << seed;
      EXPECT_EQ(bug["preemptions"], one.preemptions) << one.name << " with seed " << seed;
      const json& minimised = bug["minimised"];
      EXPECT_EQ(minimised["complete"], true) << one.name << " with seed " << seed;
      EXPECT_GT(minimised["runs"], 1);
      EXPECT_LT(minimised["runs"], 1'000) << one.name << " with seed " << seed;
      EXPECT_GE(minimised["from_preemptions"], bug["preemptions"]);
      simplified += minimised["from_preemptions"] > bug["preemptions"];
    }
  EXPECT_GT(simplified, 10U) << "most were found with the fewest preemptions: they show nothing";
}

TEST(Minimised, SchedulesAreTheSameHoweverTheyAreRun) {
  for (const Words& options :
       {Words{"--strategy", "exhaustive"}, Words{"--strategy", "pct"}, Words{"--isolation", "fork"},
        Words{"--threads", "os"}, Words{"--threads", "os", "--isolation", "fork"}}) {
    Words all = {"--strategy", "random"};
    if (options[0] == "--strategy") all.clear();
    all.insert(all.end(), options.begin(), options.end());
    const json bug = first_bug(check(example("hit_counter.cpp"), all));
    EXPECT_EQ(bug["preemptions"], 1) << options.back();
    EXPECT_EQ(bug["minimised"]["complete"], true) << options.back();
  }
}

TEST(Minimised, RunsAreNoExecutions) {
  const Words options = {"--strategy", "random", "--keep-going", "--max-executions", "50"};
  Words off = options;
  off.insert(off.end(), {"--minimise", "0"});
  const Checked as_found = check(example("hit_counter.cpp"), off);
  const Checked minimised = check(example("hit_counter.cpp"), options);
  for (const char* const key : {"executions", "events", "distinct", "reasons"})
    EXPECT_EQ(minimised.summary[key], as_found.summary[key]) << key;
  EXPECT_EQ(minimised.runs, as_found.runs);
  EXPECT_EQ(minimised.outcomes, as_found.outcomes);
  EXPECT_EQ(first_bug(minimised)["count"], first_bug(as_found)["count"]);
  // And without it the run is shown as it was found.
  EXPECT_TRUE(first_bug(as_found)["minimised"].is_null());
  EXPECT_EQ(first_bug(as_found)["preemptions"], first_bug(minimised)["minimised"]["from_preemptions"]);
}

TEST(Minimised, SchedulesSayFromWhat) {
  const Scratch scratch;
  const auto shown = [&](const char* runs) {
    return norn({"check", program("preempted.cpp"), "--strategy", "random", "--minimise", runs, "--trace-dir",
                 scratch.path()})
        .output;
  };
  EXPECT_FALSE(contains(shown("0"), "Minimised from"));
  const std::regex line("Minimised from [0-9]+ events, [0-9]+ preemptions in 200 runs");
  const std::string some = shown("200");
  EXPECT_TRUE(std::regex_search(some, line)) << some;
  EXPECT_TRUE(contains(some, "not every schedule")) << some;
  // What was minimal when it was found says nothing.
  const Finished minimal = norn({"check", example("bank_transfer.cpp"), "--trace-dir", scratch.path()});
  EXPECT_FALSE(contains(minimal.output, "Minimised from")) << minimal.output;
}

TEST(Minimised, SchedulesCanBeReplayed) {
  const Scratch scratch;
  for (const char* const way : {"alternate", "late-try"})
    for (const char* const isolation : {"snapshot", "fork"}) {
      const Finished checked =
          norn({"check", program("preempted.cpp"), "--minimise", "300", "--isolation", isolation, "--strategy",
                way == std::string("alternate") ? "random" : "exhaustive", "--trace-dir", scratch.path(), "--", way});
      ASSERT_EQ(checked.exit_code, 1) << checked.output << checked.error;
      EXPECT_FALSE(contains(checked.output, "gave another result")) << checked.output;
      const Finished replayed = norn({"replay", scratch.file("preempted-1.trace")});
      EXPECT_EQ(replayed.exit_code, 1) << replayed.output << replayed.error;
    }
}

TEST(Minimised, SchedulesAreOfTheirOwnBugs) {
  const Checked all = check(program("several_bugs.c"), {"--keep-going"});
  ASSERT_EQ(all.summary["bugs"].size(), 2U) << all.summary;
  for (const json& bug : all.summary["bugs"]) {
    EXPECT_EQ(bug["preemptions"], 1) << bug;
    EXPECT_EQ(bug["minimised"]["complete"], true) << bug;
  }
  EXPECT_NE(all.summary["bugs"][0]["message"], all.summary["bugs"][1]["message"]);
}

TEST(Minimised, SchedulesAreKeptWhenItIsInterrupted) {
  using namespace std::chrono_literals;
  ASSERT_EQ(norn({"check", program("preempted.cpp"), "--quiet", "--max-executions", "1"}).exit_code, 3)
      << "compiled once, beforehand";
  for (const char* const isolation : {"snapshot", "fork"}) {
    const Scratch scratch;
    // Found at once; to minimise it would take a day.
    Job job({norn_bin() + "/norn", "check", program("preempted.cpp"), "--strategy", "random", "--isolation", isolation,
             "--minimise", "1000000000", "--json", scratch.file("summary"), "--trace-dir", scratch.file("traces"), "--",
             "alternate", "40"});
    ASSERT_NE(job.wait_for_child("preempted"), 0);
    std::this_thread::sleep_for(2s);
    ASSERT_NE(job.wait_for_child("preempted"), 0) << "it has ended already";
    const auto before = std::chrono::steady_clock::now();
    job.interrupt();
    const Finished finished = job.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - before, 10s);
    EXPECT_EQ(finished.exit_code, 1) << finished.output << finished.error;
    const json summary = json::parse(read_file(scratch.file("summary")), nullptr, false);
    ASSERT_TRUE(summary.is_object() && !summary["bugs"].empty());
    const json& bug = summary["bugs"][0];
    EXPECT_LT(bug["preemptions"], bug["minimised"]["from_preemptions"]) << bug;
    EXPECT_EQ(norn({"replay", bug["trace"]}).exit_code, 1);
  }
}

}  // namespace
}  // namespace norn::test
