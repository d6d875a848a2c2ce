// --reduce and t-way: how many sequences are left.

#include <gtest/gtest.h>

#include "norn_check.hpp"

namespace norn::test {
namespace {

unsigned long sequences(const std::string& program, const std::string& reduction, const std::string& seed = "1",
                        const std::vector<std::string>& arguments = {}) {
  const Checked checked = check(PAPERS "/" + program, {"--reduce", reduction, "--seed", seed}, arguments);
  EXPECT_TRUE(checked.summary.value("complete", false)) << checked.finished.error;
  EXPECT_FALSE(checked.summary["assumptions"].empty());  // the verdict says what it depends on
  return checked.executions();
}

// Three producers and three consumers can be permuted in 3! 3! ways, and every thread enters once at least: 720 / 36
// and 12,096 / 36. Three readers and two writers: 768 / 12, 13,320 / 12.
TEST(Symmetry, OneOfEachOrbit) {
  for (const char* const seed : {"1", "2", "3"}) {
    EXPECT_EQ(sequences("bounded_buffer_monitor_su", "symmetry", seed), 20);
    EXPECT_EQ(sequences("bounded_buffer_monitor_sc", "symmetry", seed), 336);
    EXPECT_EQ(sequences("readers_writers_select", "symmetry", seed), 64);
    EXPECT_EQ(sequences("readers_writers_monitor_su", "symmetry", seed), 1'110);
  }
}

// As published.
TEST(Symmetry, OneOfEachClass) {
  EXPECT_EQ(sequences("bounded_buffer_monitor_su", "symmetry-paper"), 20);
  EXPECT_EQ(sequences("bounded_buffer_monitor_sc", "symmetry-paper"), 132);
  EXPECT_EQ(sequences("bounded_buffer_monitor_sc", "symmetry-paper", "5"), 132);
  // Counted by brute force: to start and to end are different operations, even if the same groups do it.
  EXPECT_EQ(sequences("readers_writers_select", "symmetry-paper", "1", {"3", "1"}), 14);
  EXPECT_EQ(sequences("readers_writers_monitor_su", "symmetry-paper", "1", {"2", "2"}), 43);
}

// It makes a difference which thread takes the lock before the main thread does, so all orders are explored: 3 of them,
// as the main thread comes after the second thread.
TEST(Symmetry, EndsWhereThreadsAreToldApart) {
  for (const char* const reduction : {"symmetry", "symmetry=auto", "symmetry-paper"}) {
    const Checked checked = check(CONSTRUCTS, {"--reduce", reduction}, {"told_apart"});
    EXPECT_EQ(checked.executions(), 3) << reduction;
    EXPECT_EQ(checked.summary["strategy_used"], "dpor");
    EXPECT_TRUE(checked.summary["assumptions"].empty()) << checked.summary;
  }
}

TEST(Symmetry, IsFoundForThreadsStartedWithTheSameData) {
  EXPECT_EQ(sequences("lock_counts", "symmetry=auto", "1", {"3", "1"}), 1);  // of 3!
}

// All orders of the producers and of the consumers, 3! 3!, and no more than without.
TEST(PV, LeavesWhatMatters) {
  for (const char* const seed : {"1", "2", "3"}) {
    const unsigned long left = sequences("bounded_buffer_semaphore", "pv", seed);
    EXPECT_GE(left, 36);
    EXPECT_LT(left, 324);
  }
}

// The two replies of each of three processes in one of two orders: 4,032 / 2^3.
TEST(Unordered, RepliesAreCounted) { EXPECT_EQ(sequences("distributed_mutual_exclusion", "unordered"), 504); }

TEST(Reductions, AreNamedAndOnlyForWhoCanReduce) {
  const Checked unknown = check(PAPERS "/figure_1", {"--reduce", "symetry"});
  EXPECT_EQ(unknown.finished.exit_code, 2);
  EXPECT_NE(unknown.finished.error.find("there is no reduction called symetry"), std::string::npos);
  EXPECT_EQ(check(PAPERS "/figure_1", {"--reduce", "pv", "--strategy", "dpor"}).finished.exit_code, 2);
}

// More changes at once show more sequences, none twice; with as many as there are races, all.
TEST(TWay, ShowsMoreWithMoreChanges) {
  unsigned long last = 0;
  for (const char* const t : {"1", "2", "3", "10"}) {
    const Checked checked = check(PAPERS "/distributed_spanning_tree", {"--strategy", "t-way", "--t", t},
                                  {"4", "0-1", "0-2", "0-3", "2-3"});
    EXPECT_EQ(checked.verdict(), "incomplete");
    EXPECT_EQ(checked.executions(), checked.distinct());
    EXPECT_GE(checked.executions(), last);
    last = checked.executions();
  }
  EXPECT_EQ(last, 30);
}

// There is no room for all combinations of so many changes, but for all sequences.
TEST(TWay, ShowsEverythingWithVeryManyChanges) {
  const Checked checked = check(PAPERS "/distributed_mutual_exclusion", {"--strategy", "t-way", "--t", "8"});
  EXPECT_EQ(checked.executions(), 4'032);
  EXPECT_LT(checked.summary["peak_memory_bytes"], 100'000'000);
}

// A checker that shares nothing with what makes the tables looks at each of them.
TEST(TWay, TablesAreChecked) {
  const auto t_way = [](const std::vector<std::string>& more) {
    std::vector<std::string> options = {"--strategy", "t-way", "--t", "2", "--check-tables"};
    options.insert(options.end(), more.begin(), more.end());
    return check(PAPERS "/distributed_spanning_tree", options, {"4", "0-1", "0-2", "0-3", "2-3"}).summary;
  };
  const auto summary = t_way({});
  EXPECT_EQ(summary["guarantee"], "all of " + std::to_string(summary["executions"].get<int>()) +
                                      " race tables cover every combination (--check-tables)");
  const std::string reason = t_way({"--forget", "1"})["reasons"][0];
  EXPECT_NE(reason.find("a race table does not cover all combinations: "), std::string::npos) << reason;
  EXPECT_EQ(check(PAPERS "/figure_1", {"--check-tables"}).finished.exit_code, 2);
}

// How large they are: two columns with one race each in the first run of figure 1. After the first race was changed
// there is one left, and none after the second.
TEST(RaceTables, AreMeasured) {
  const auto tables = check(PAPERS "/figure_1", {"--strategy", "reachability"}).summary["race_tables"];
  EXPECT_EQ(tables["count"], 2) << tables;
  EXPECT_EQ(tables["columns"]["most"], 2);
  EXPECT_EQ(tables["columns"]["least"], 1);
  EXPECT_EQ(tables["columns"]["average"], 1.5);
  EXPECT_EQ(tables["races"]["most"], 1);
  EXPECT_EQ(check(PAPERS "/figure_1", {"--strategy", "dpor"}).summary["race_tables"], nlohmann::json::object());
}

}  // namespace
}  // namespace norn::test
