// Several processes that share the work come to the same as one.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "command.hpp"

namespace norn::test {
namespace {

using namespace std::chrono_literals;

Checked explore(const std::string& source, Words options, const Words& arguments = {}) {
  options.insert(options.end(), {"--minimise", "0"});
  return check(program(source), options, arguments);
}

void expect_same(const Checked& one, const Checked& other) {
  for (const char* const key : {"verdict", "complete", "executions", "distinct", "deadlocks", "events", "threads_max"})
    EXPECT_EQ(one.summary[key], other.summary[key]) << key << "\n" << other.summary;
}

class Jobs : public testing::TestWithParam<const char*> {};

/// Four threads that take one lock twice each: 8! / (2!)^4 behaviours.
TEST_P(Jobs, ComeToTheSame) {
  const Checked alone = explore("four_lockers.cpp", {"--strategy", GetParam()}, {"2"});
  EXPECT_EQ(alone.summary["executions"], 2520) << alone.summary;
  for (const char* const jobs : {"2", "3"})
    expect_same(alone, explore("four_lockers.cpp", {"--strategy", GetParam(), "--jobs", jobs}, {"2"}));
  expect_same(alone, explore("four_lockers.cpp", {"--strategy", GetParam(), "--jobs", "2", "--chaos", "7"}, {"2"}));
}

INSTANTIATE_TEST_SUITE_P(Strategies, Jobs, testing::Values("exhaustive", "dpor"));

TEST(Crew, SamplesAsOftenAsOneAlone) {
  const Checked checked =
      explore("four_lockers.cpp", {"--strategy", "random", "--max-executions", "5000", "--jobs", "3"}, {"3"});
  EXPECT_EQ(checked.summary["executions"], 5000) << checked.summary;
}

TEST(Crew, StopsAtALimit) {
  const Checked checked =
      explore("four_lockers.cpp", {"--strategy", "dpor", "--max-executions", "7001", "--jobs", "2"}, {"3"});
  EXPECT_EQ(checked.summary["executions"], 7001) << checked.summary;
  EXPECT_EQ(checked.summary["distinct"], 7001) << checked.summary;
  EXPECT_EQ(checked.verdict(), "incomplete");
}

TEST(Crew, FindsTheSameBugs) {
  const Checked alone = explore("wrong_order.cpp", {"--keep-going"});
  const Checked together = explore("wrong_order.cpp", {"--keep-going", "--jobs", "2", "--chaos", "3"});
  expect_same(alone, together);
  ASSERT_FALSE(alone.summary["bugs"].empty()) << alone.summary;
  ASSERT_EQ(together.summary["bugs"].size(), alone.summary["bugs"].size()) << together.summary;
  for (const char* const key : {"kind", "location", "count"})
    EXPECT_EQ(together.summary["bugs"][0][key], alone.summary["bugs"][0][key]) << key;
}

/// The processes of the crew: children of the program's process.
std::set<pid_t> workers_of(pid_t crew) {
  std::set<pid_t> workers;
  std::ifstream children("/proc/" + std::to_string(crew) + "/task/" + std::to_string(crew) + "/children");
  for (pid_t process = 0; children >> process;) workers.insert(process);
  return workers;
}

TEST(Crew, SurvivesTheDeathOfWorkers) {
  const Words options = {"--strategy", "dpor", "--jobs", "2", "--minimise", "0"};
  Scratch scratch;
  const std::string summary = scratch.file("summary.json");
  Words command = {norn_bin() + "/norn", "check", program("four_lockers.cpp")};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--json", summary, "--quiet", "--", "3"});
  Job job(command);
  const pid_t crew = job.wait_for_child("four_lockers");
  ASSERT_NE(crew, 0);
  unsigned killed = 0;
  for (int i = 0; i < 8; ++i) {
    std::this_thread::sleep_for(60ms);
    for (const pid_t worker : workers_of(crew)) {
      killed += kill(worker, SIGKILL) == 0 ? 1 : 0;
      break;
    }
  }
  EXPECT_EQ(job.wait().exit_code, 0);
  std::ifstream file(summary);
  const nlohmann::json found = nlohmann::json::parse(file);
  EXPECT_GE(killed, 3U);
  EXPECT_EQ(found["executions"], 369600) << found;
  EXPECT_EQ(found["distinct"], 369600) << found;
  EXPECT_TRUE(found["complete"]) << found;
}

TEST(Crew, TellsHowMuchIsLeft) {
  for (const char* const limit : {"--max-seconds=0.3", "--max-executions=9000"}) {
    const Checked checked = explore("four_lockers.cpp", {"--strategy", "dpor", limit, "--jobs", "2"}, {"4"});
    EXPECT_EQ(checked.verdict(), "incomplete");
    const auto& estimate = checked.summary["estimate"];
    ASSERT_TRUE(estimate.is_object()) << checked.summary;
    EXPECT_GT(estimate["executions"], checked.summary["executions"]) << checked.summary;
    EXPECT_LE(estimate["low"], estimate["executions"]) << estimate;
    EXPECT_GE(estimate["high"], estimate["executions"]) << estimate;
    EXPECT_LT(estimate["explored"], 1) << estimate;
  }
}

TEST(Exploring, TellsHowMuchThereIs) {
  const Checked checked = explore("four_lockers.cpp", {"--strategy", "dpor", "--max-executions", "20000"}, {"4"});
  const auto& estimate = checked.summary["estimate"];
  ASSERT_TRUE(estimate.is_object()) << checked.summary;
  // There are 16! / (4!)^4 = 63,063,000.
  EXPECT_LE(estimate["low"].get<double>(), 63'063'000) << estimate;
  EXPECT_GE(estimate["high"].get<double>(), 63'063'000) << estimate;
  EXPECT_LT(estimate["explored"].get<double>(), 0.5) << estimate;
}

}  // namespace
}  // namespace norn::test
